import { randomUUID } from 'node:crypto';
import type { CardDescription, Mode, RelayRequest } from '@florin/contract/protocol/vault.ts';
import { describe, expect, test } from 'vitest';
import { type SealOptions, seal } from './support/sealer.ts';
import { useVault, type VaultContext } from './support/use-vault.ts';
import { dumpDatabase, errorOf, type TestVault } from './support/vault.ts';

const NUMBER = '4895370012000003';
const CRYPTOGRAM = 'AgAAAAAABk4DWZ4C28yUQAAAAAA=';
const MINUTE_MS = 60_000;
const NOW = Date.parse('2026-11-21T12:00:00Z');

let network: VaultContext['network'];
let vault: TestVault;
useVault((context) => {
  ({ network, vault } = context);
});

interface TokenOptions extends Partial<SealOptions> {
  readonly mode?: Mode;
  readonly content?: Readonly<Record<string, unknown>>;
}

async function encrypt({ mode = 'sandbox', content, ...options }: TokenOptions = {}) {
  const claims = {
    number: NUMBER,
    expiry_month: 12,
    expiry_year: 2030,
    cryptogram: CRYPTOGRAM,
    merchant_id: 'merchant-a',
    ...content,
  };
  const header = { typ: 'network-token+jwe', sid: undefined, ...options.header };
  const sealing = { now: vault.clock.now, sid: '', ...options, header };
  return seal(await vault.fetchKey(mode), claims, sealing);
}

const submit = (jwe: string, merchant_id = 'merchant-a') =>
  vault.post('/ingest', {
    merchant_id,
    mode: 'sandbox',
    source: { kind: 'network_token', jwe },
  });

const ingest = async (options?: TokenOptions): Promise<CardDescription> =>
  JSON.parse((await submit(await encrypt(options))).text);

const createRequest = (
  { card_pan_token, card_cryptogram_token }: CardDescription,
  eci: RelayRequest['card_fields'][string] = 'eci',
): RelayRequest => ({
  id: randomUUID(),
  merchant_id: 'merchant-a',
  mode: 'sandbox',
  card_pan_token,
  ...(card_cryptogram_token && { card_cryptogram_token }),
  consumes_cvv: true,
  method: 'POST',
  url: `${network.origin}/approve`,
  headers: {},
  body: { number: null, cryptogram: null, eci: null },
  card_fields: { '/number': 'pan', '/cryptogram': 'cryptogram', '/eci': eci },
  timeout_ms: 60_000,
  not_after: Number.MAX_SAFE_INTEGER,
});
const readLastSentBody = (): unknown => JSON.parse(network.received.at(-1)!.body);

describe('a network token', () => {
  test('becomes a card that is marked as one', async () => {
    const { card_cryptogram_token, ...card } = await ingest();
    expect(card_cryptogram_token).toMatch(/^cpt_[0-9a-z]{26}$/);
    expect(card).toEqual({
      card_pan_token: expect.stringMatching(/^pan_[0-9a-z]{26}$/),
      card_bin: '489537',
      last_four: '0003',
      kind: 'visa',
      expiry_month: 12,
      expiry_year: 2030,
      fingerprint: expect.any(String),
      network_token: true,
    });
    const { card_pan_token } = card;
    const request = { merchant_id: 'merchant-a', mode: 'sandbox', card_pan_token };
    expect(JSON.parse((await vault.post('/describe', request)).text)).toEqual(card);
  });

  test('is sent with its cryptogram once, and never without', async () => {
    const card = await ingest({ content: { eci: '5' } });
    expect(await vault.relay(createRequest(card))).toMatchObject([{ outcome: 'answered' }]);
    expect(readLastSentBody()).toEqual({ number: NUMBER, cryptogram: CRYPTOGRAM, eci: '05' });
    const missing = { outcome: 'not_sent', why: 'cryptogram_missing' };
    expect(await vault.relay(createRequest(card))).toMatchObject([missing]);
    const bare = await ingest({ content: { cryptogram: undefined } });
    expect(bare.card_cryptogram_token).toBeUndefined();
    expect(await vault.relay(createRequest(bare))).toMatchObject([missing]);
    expect(network.received).toHaveLength(1);
  });

  test.each([
    ['eci', undefined],
    ['eci_or_05', '05'],
    ['eci_or_07', '07'],
  ] as const)('without an indicator is sent with %s as %j', async (field, eci) => {
    await vault.relay(createRequest(await ingest(), field));
    expect(readLastSentBody()).toEqual({ number: NUMBER, cryptogram: CRYPTOGRAM, eci });
  });

  test('that was never sent keeps its cryptogram for another message', async () => {
    const card = await ingest();
    const late = { ...createRequest(card), url: 'http://127.0.0.1:9/' };
    expect(await vault.relay(late)).toMatchObject([{ outcome: 'not_sent' }]);
    expect(await vault.relay(createRequest(card))).toMatchObject([{ outcome: 'answered' }]);
  });

  test('sent twice by its merchant gets the first answer, also concurrently', async () => {
    const jwe = await encrypt();
    const answers = await Promise.all([submit(jwe), submit(jwe)]);
    answers.push(await submit(jwe));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  test('under the id of another number or cryptogram is refused, but another merchant may use that id', async () => {
    const claims = { jti: randomUUID() };
    await ingest({ claims });
    const other = await encrypt({ claims, content: { number: '5204249900000007' } });
    const replayed = {
      error: 'network_token_replayed',
      detail: expect.stringMatching(/`jti` was already used .* Use a new one for each/),
    };
    expect(errorOf(await submit(other))).toMatchObject(replayed);
    const fresh = await encrypt({ claims, content: { cryptogram: CRYPTOGRAM.toLowerCase() } });
    expect(errorOf(await submit(fresh))).toMatchObject(replayed);
    const foreign = await encrypt({ claims, content: { merchant_id: 'merchant-b' } });
    expect((await submit(foreign, 'merchant-b')).status).toBe(200);
  });

  const encryptedAt = (offsetMs: number): TokenOptions => ({ now: NOW + offsetMs });
  test.each<[string, TokenOptions, string]>([
    ['of another merchant', { content: { merchant_id: 'merchant-b' } }, 'network_token_unreadable'],
    ['without a merchant', { content: { merchant_id: undefined } }, 'network_token_unreadable'],
    ['that has expired', encryptedAt(-7 * MINUTE_MS), 'network_token_expired'],
    ['dated in the future', encryptedAt(2 * MINUTE_MS), 'network_token_expired'],
    ['that lives too long', { claims: { exp: 9_999_999_999 } }, 'network_token_unreadable'],
    ['without an id', { claims: { jti: undefined } }, 'network_token_unreadable'],
    ['of another type', { header: { typ: 'card+jwe' } }, 'network_token_unreadable'],
    ['with a session', { header: { sid: 'network_token' } }, 'network_token_unreadable'],
    ['for the key of live mode', { mode: 'live' }, 'network_token_unreadable'],
    ['with a wrong check digit', { content: { number: '4895370012000002' } }, 'invalid_card'],
    ['past its month', { content: { expiry_year: 2025 } }, 'invalid_card'],
    ['with a short cryptogram', { content: { cryptogram: 'AAAA' } }, 'network_token_unreadable'],
    ['with an ECI of letters', { content: { eci: 'ab' } }, 'network_token_unreadable'],
    [
      'with an ECI alone',
      { content: { eci: '05', cryptogram: undefined } },
      'network_token_unreadable',
    ],
    ['that is too long', { content: { more: 'x'.repeat(4_096) } }, 'network_token_unreadable'],
  ])('%s is refused', async (_name, options, code) => {
    const answer = await submit(await encrypt(options));
    expect([answer.status, errorOf(answer).error]).toEqual([422, code]);
    expect(answer.text).not.toMatch(/4895370012|AgAAAAAABk4D/);
  });

  test('leaves neither number nor cryptogram in the database, the audit and the log', async () => {
    await vault.relay(createRequest(await ingest()));
    const texts = [await dumpDatabase(vault.database), ...vault.log].join();
    expect(texts).not.toContain(NUMBER);
    expect(texts).not.toContain(CRYPTOGRAM);
  });
});

test.each(['visa', 'mastercard'])('the test token of %s has a new cryptogram', async (brand) => {
  const source = {
    kind: 'test_token',
    pan_token: `network_token_test_${brand}`,
    expiry_month: 12,
    expiry_year: 2030,
  };
  const pay = async (mode: Mode = 'sandbox') =>
    vault.post('/ingest', { merchant_id: 'merchant-a', mode, source });
  const card: CardDescription = JSON.parse((await pay()).text);
  expect(card).toMatchObject({ kind: brand, network_token: true });
  await vault.relay(createRequest(card));
  await vault.relay(createRequest(JSON.parse((await pay()).text)));
  expect(new Set(network.received.map(({ body }) => body)).size).toBe(2);
  expect(errorOf(await pay('live')).error).toBe('unknown_token');
});
