import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  networkPaths,
  type WalletSheetAnswer,
  type WalletSheetRequest,
  walletSheetPaths,
} from '@florin/contract/protocol/network.ts';
import type { CardDescription, RelayRequest, WalletKind } from '@florin/contract/protocol/vault.ts';
import { createSimulator, type Simulator } from '@florin/simulator/app.ts';
import { createWalletSheet } from '@florin/simulator/wallets/sheet.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CVV_LIFE_MS } from '../src/keys/cvv-epochs.ts';
import { useVault, type VaultContext } from './support/use-vault.ts';
import { dumpDatabase, errorOf, startTestVault, type TestVault } from './support/vault.ts';
import {
  CRYPTOGRAM,
  createAppleTokenFor,
  createGooglePayload,
  createGoogleTokenFor,
  fetchWalletKeys,
  googleDetails,
  ingestWallet,
  NUMBER,
  submitToken,
} from './support/wallets.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

let network: VaultContext['network'];
let vault: TestVault;
useVault((context) => {
  ({ network, vault } = context);
});

const createTokenOf = { apple_pay: createAppleTokenFor, google_pay: createGoogleTokenFor } as const;
const pay = async (wallet: WalletKind): Promise<CardDescription> =>
  ingestWallet(vault, wallet, await createTokenOf[wallet](vault));

const createRequest = (
  card: CardDescription,
  changes: Partial<RelayRequest> = {},
): RelayRequest => ({
  id: randomUUID(),
  merchant_id: 'merchant-a',
  mode: 'sandbox',
  card_pan_token: card.card_pan_token,
  ...(card.card_cryptogram_token && { card_cryptogram_token: card.card_cryptogram_token }),
  consumes_cvv: true,
  method: 'POST',
  url: `${network.origin}/approve`,
  headers: {},
  body: { number: null, cvv: null, cryptogram: null, eci: null, year: null },
  card_fields: {
    '/number': 'pan',
    '/cvv': 'cvv',
    '/cryptogram': 'cryptogram',
    '/eci': 'eci',
    '/year': 'expiry_year',
  },
  timeout_ms: 60_000,
  not_after: Number.MAX_SAFE_INTEGER,
  ...changes,
});

/** Not sent, because the named cryptogram does not exist. */
const CRYPTOGRAM_MISSING = { outcome: 'not_sent', why: 'cryptogram_missing' };
const readLastSentBody = (): unknown => JSON.parse(network.received.at(-1)!.body);

describe.each([
  ['apple_pay', '07'],
  ['google_pay', '05'],
] as const)('%s', (wallet, eci) => {
  test('becomes a card that its device authenticated', async () => {
    const card = await pay(wallet);
    expect(card).toEqual({
      card_pan_token: expect.stringMatching(/^pan_[0-9a-z]{26}$/),
      card_cryptogram_token: expect.stringMatching(/^cpt_[0-9a-z]{26}$/),
      card_bin: '424242',
      last_four: '4242',
      kind: 'visa',
      expiry_month: 12,
      expiry_year: 2030,
      fingerprint: expect.any(String),
      wallet: { kind: wallet, authenticated: true, eci },
    });
    const { card_cryptogram_token: _, ...describedCard } = card;
    const { text } = await vault.post('/describe', {
      merchant_id: 'merchant-a',
      mode: 'sandbox',
      card_pan_token: card.card_pan_token,
    });
    expect(JSON.parse(text)).toEqual(describedCard);
  });

  test('is authorised with its cryptogram and indicator once, and never without them', async () => {
    const card = await pay(wallet);
    expect(await vault.relay(createRequest(card))).toMatchObject([{ outcome: 'answered' }]);
    expect(readLastSentBody()).toEqual({
      number: NUMBER,
      cryptogram: CRYPTOGRAM,
      eci,
      year: '2030',
    });
    expect(await vault.relay(createRequest(card))).toMatchObject([CRYPTOGRAM_MISSING]);
    expect(network.received).toHaveLength(1);
  });

  test('gives the same tokens again in the same session, and is refused in another', async () => {
    const [token, sid] = [await createTokenOf[wallet](vault), randomUUID()];
    const [firstCard, secondCard] = await Promise.all([
      ingestWallet(vault, wallet, token, { sid }),
      ingestWallet(vault, wallet, token, { sid }),
    ]);
    expect(secondCard).toEqual(firstCard);
    expect(errorOf(await submitToken(vault, wallet, token)).error).toBe('wallet_token_replayed');
  });

  test('is refused in live mode without configuration', async () => {
    const answer = await submitToken(vault, wallet, await createTokenOf[wallet](vault), {
      mode: 'live',
    });
    expect([answer.status, errorOf(answer).error]).toEqual([422, 'wallet_not_configured']);
  });

  test('leaves neither number nor cryptogram in the database, the audit and the log', async () => {
    const token = await createTokenOf[wallet](vault);
    const card = await ingestWallet(vault, wallet, token);
    await vault.relay(createRequest(card, { url: `${network.origin}/echo` }));
    await submitToken(vault, wallet, token);
    const storedText = `${await dumpDatabase(vault.database)}\n${vault.log.join('\n')}`;
    expect(storedText).toContain(card.card_pan_token);
    for (const secret of [NUMBER, CRYPTOGRAM, JSON.stringify(token).slice(20, 80)]) {
      expect(storedText).not.toContain(secret);
      expect(storedText).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });

  test('has its cryptogram masked in an answer that repeats it', async () => {
    const [answer] = await vault.relay(
      createRequest(await pay(wallet), { url: `${network.origin}/echo` }),
    );
    expect(JSON.stringify(answer)).not.toContain(CRYPTOGRAM);
  });

  test('still opens after the root key was rotated', async () => {
    const token = await createTokenOf[wallet](vault);
    expect(await vault.admin('/rotate', { key: 'root' })).toMatchObject({ ok: true });
    await vault.restart();
    await expect(ingestWallet(vault, wallet, token)).resolves.toMatchObject({ last_four: '4242' });
  });
});

describe('a cryptogram', () => {
  const readStored = async (card: CardDescription) =>
    vault.database.query('select token from vault.cvvs where token = $1', [
      card.card_cryptogram_token,
    ]);

  test('is deleted from the database before its authorisation is sent', async () => {
    const card = await pay('apple_pay');
    expect(await readStored(card)).toHaveLength(1);
    const relayPromise = vault.relay(
      createRequest(card, { url: `${network.origin}/hang`, timeout_ms: 2_000 }),
    );
    await expect.poll(() => network.received.length, { timeout: 15_000 }).toBe(1);
    expect(await readStored(card)).toEqual([]);
    expect(await relayPromise).toMatchObject([{ outcome: 'lost' }]);
    expect(await readStored(card)).toEqual([]);
  });

  test('is restored if nothing was sent', async () => {
    const card = await pay('google_pay');
    const url = 'http://127.0.0.1:1/not-listed';
    expect(await vault.relay(createRequest(card, { url }))).toMatchObject([
      { outcome: 'not_sent' },
    ]);
    expect(await readStored(card)).toHaveLength(1);
  });

  test('stays for a request that does not use it', async () => {
    const card = await pay('google_pay');
    await vault.relay(createRequest(card, { consumes_cvv: false }));
    expect(await readStored(card)).toHaveLength(1);
  });

  test('is sent with one of two requests that name it', async () => {
    const card = await pay('apple_pay');
    const answers = await vault.relay(createRequest(card), createRequest(card));
    expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual(['answered', 'not_sent']);
    expect(network.received.map(({ body }) => body.includes(CRYPTOGRAM))).toEqual([true]);
  });

  test('is not filled in after a quarter of an hour', async () => {
    const card = await pay('apple_pay');
    vault.clock.now += CVV_LIFE_MS;
    expect(await vault.relay(createRequest(card))).toMatchObject([CRYPTOGRAM_MISSING]);
    expect(network.received).toEqual([]);
  });

  test('is never taken for a verification value', async () => {
    const { card_cryptogram_token = '', ...card } = await pay('apple_pay');
    const request = createRequest(card, { card_cvv_token: card_cryptogram_token });
    const [answer] = await vault.relay(request);
    expect(answer).toMatchObject({ outcome: 'not_sent', why: 'record_unreadable' });
    expect(network.received).toEqual([]);
  });

  test('of another merchant is refused', async () => {
    const { card_cryptogram_token = '' } = await pay('apple_pay');
    const otherCard = await vault.ingest({ merchant_id: 'merchant-b' });
    const request = createRequest(otherCard, { merchant_id: 'merchant-b', card_cryptogram_token });
    expect(await vault.relay(request)).toMatchObject([CRYPTOGRAM_MISSING]);
    expect(network.received).toEqual([]);
  });
});

describe('from the sheet of the sandbox to its network', () => {
  let simulator: Simulator;
  let sandboxVault: TestVault;
  const tempDir = mkdtempSync(join(tmpdir(), 'vault-wallets-'));
  beforeAll(async () => {
    simulator = await createSimulator({ dataDir: tempDir, port: 0, now: () => new Date(NOW) });
    sandboxVault = await startTestVault([simulator.url]);
    sandboxVault.clock.now = NOW;
  });
  afterAll(async () => {
    await sandboxVault?.[Symbol.asyncDispose]();
    await simulator?.[Symbol.asyncDispose]();
    rmSync(tempDir, { recursive: true });
  });

  const purchase = { amount: 2499, currency: 'USD' };

  async function chooseCard(wallet: WalletKind, changes: Partial<WalletSheetRequest> = {}) {
    const keys = (await fetchWalletKeys(sandboxVault))[wallet]!;
    const body = { card: 'pan_test_visa', kind: 'cryptogram', ...purchase, ...keys, ...changes };
    const sheet = createWalletSheet(() => new Date(NOW));
    const reply = await sheet('POST', walletSheetPaths[wallet], body);
    const { token } = (reply as { body: WalletSheetAnswer }).body;
    return ingestWallet(sandboxVault, wallet, token, purchase);
  }

  async function authorise(card: CardDescription, amount = purchase.amount) {
    const id = randomUUID();
    const [answer] = await sandboxVault.relay(
      createRequest(card, {
        id,
        url: `${simulator.url}${networkPaths.authorisations}`,
        body: {
          reference: id,
          amount,
          currency: purchase.currency,
          card: { number: null, expiry_month: null, expiry_year: null },
          capture: true,
          wallet: {
            kind: card.wallet?.kind,
            ...(card.card_cryptogram_token && { cryptogram: null, eci: null }),
          },
        },
        card_fields: {
          '/card/number': 'pan',
          '/card/expiry_month': 'expiry_month',
          '/card/expiry_year': 'expiry_year',
          ...(card.card_cryptogram_token && {
            '/wallet/cryptogram': 'cryptogram',
            '/wallet/eci': 'eci',
          }),
        },
      }),
    );
    return answer;
  }

  const answerWith = (result: string) => ({ outcome: 'answered', status: 200, body: { result } });

  test.each(['apple_pay', 'google_pay'] as const)('%s is approved', async (wallet) => {
    const changes = wallet === 'google_pay' ? { gateway_merchant_id: 'merchant-a' } : {};
    const card = await chooseCard(wallet, changes);
    expect(card).toMatchObject({ last_four: '0004', wallet: { authenticated: true, eci: '05' } });
    expect(await authorise(card)).toMatchObject(answerWith('approved'));
  });

  test('a cryptogram is declined for more than was approved in the wallet', async () => {
    expect(await authorise(await chooseCard('apple_pay'), 2500)).toMatchObject(
      answerWith('declined'),
    );
  });

  test('a number without a device is charged without a cryptogram', async () => {
    const changes = { kind: 'pan_only', gateway_merchant_id: 'merchant-a' } as const;
    const card = await chooseCard('google_pay', changes);
    expect(card.wallet?.authenticated).toBe(false);
    expect(await authorise(card)).toMatchObject(answerWith('approved'));
  });
});

test('a card that Google knows by its number only is not authenticated', async () => {
  const { cryptogram: _, eciIndicator: __, ...details } = googleDetails;
  const payload = createGooglePayload(vault, { ...details, authMethod: 'PAN_ONLY' });
  const card = await ingestWallet(
    vault,
    'google_pay',
    await createGoogleTokenFor(vault, { payload }),
  );
  expect(card.wallet).toEqual({ kind: 'google_pay', authenticated: false });
  expect(card).not.toHaveProperty('card_cryptogram_token');
});

test('one card has one fingerprint, in every form', async () => {
  const cards = [await pay('apple_pay'), await pay('google_pay'), await vault.ingest()];
  expect(new Set(cards.map(({ fingerprint }) => fingerprint)).size).toBe(1);
  expect(cards[2]).not.toHaveProperty('wallet');
});

test('keys are created once for each sandbox wallet, and none for live mode', async () => {
  const [firstKeys, secondKeys] = await Promise.all([
    fetchWalletKeys(vault),
    fetchWalletKeys(vault),
  ]);
  expect(secondKeys).toEqual(firstKeys);
  expect(firstKeys.google_pay).toMatchObject({
    recipient_id: 'gateway:florin-sandbox',
    gateway: 'florin-sandbox',
  });
  expect(firstKeys.apple_pay?.merchant_identifier).toBe('merchant.sandbox.florin');
  expect(await fetchWalletKeys(vault, 'live')).toEqual({ mode: 'live' });
});
