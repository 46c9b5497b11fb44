import { randomUUID } from 'node:crypto';
import type { CardDescription } from '@florin/contract/protocol/vault.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CardOptions, errorOf, startTestVault, type TestVault } from './support/vault.ts';

let vault: TestVault;
beforeAll(async () => {
  vault = await startTestVault();
});
afterAll(() => vault?.[Symbol.asyncDispose]());

const refusalOf = async (options: CardOptions): Promise<string> =>
  errorOf(await vault.post('/ingest', await vault.sealedRequest(options))).error;

const encodeHeader = (header: object): string =>
  Buffer.from(JSON.stringify(header)).toString('base64url');

async function ingestWithPart(
  partIndex: number,
  change: (text: string) => string,
): Promise<string> {
  const request = await vault.sealedRequest();
  if (request.source.kind !== 'sealed') throw new Error('not sealed');
  const jweParts = request.source.pan_jwe.split('.');
  jweParts[partIndex] = change(jweParts[partIndex]!);
  const source = { ...request.source, pan_jwe: jweParts.join('.') };
  return errorOf(await vault.post('/ingest', { ...request, source })).error;
}

const ingestWithHeader = (change: (header: Record<string, unknown>) => object): Promise<string> =>
  ingestWithPart(0, (text) =>
    encodeHeader(change(JSON.parse(Buffer.from(text, 'base64url').toString()))),
  );

describe('a sealed card', () => {
  test('becomes tokens and the public card data', async () => {
    const card = await vault.ingest();
    expect(card).toEqual({
      card_pan_token: expect.stringMatching(/^pan_[0-9a-z]{26}$/),
      card_cvv_token: expect.stringMatching(/^cvv_[0-9a-z]{26}$/),
      card_bin: '424242',
      last_four: '4242',
      kind: 'visa',
      expiry_month: 12,
      expiry_year: 2030,
      fingerprint: expect.stringMatching(/^[\w-]{24}$/),
    });
  });

  test('#20 sent twice in its session gets the first answer, also concurrently', async () => {
    const request = await vault.sealedRequest();
    const answers = await Promise.all([1, 2, 3].map(() => vault.post('/ingest', request)));
    answers.push(await vault.post('/ingest', request));
    expect(answers[0]!.status).toBe(200);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const { card_pan_token } = JSON.parse(answers[0]!.text) as CardDescription;
    const rows = await vault.database.query('select from vault.cards where token = $1', [
      card_pan_token,
    ]);
    expect(rows).toHaveLength(1);
  });

  test('#20 sealed again under the id of another card is refused', async () => {
    const sid = randomUUID();
    const claims = { jti: randomUUID() };
    await vault.ingest({ sid, pan: { claims } });
    const otherPan = { claims, content: { pan: '5555555555554444' } };
    expect(await refusalOf({ sid, pan: otherPan })).toBe('sealed_card_replayed');
  });

  test('#20 whose id another session or merchant used is refused, and nothing of it is stored', async () => {
    const claims = { jti: randomUUID() };
    const sid = randomUUID();
    await vault.ingest({ sid, pan: { claims } });
    const countCards = () => vault.database.query('select count(*) from vault.cards');
    const countBefore = await countCards();
    expect(await refusalOf({ pan: { claims } })).toBe('sealed_card_replayed');
    expect(await refusalOf({ sid, merchant_id: 'merchant-b', pan: { claims } })).toBe(
      'sealed_card_replayed',
    );
    expect(await countCards()).toEqual(countBefore);
  });

  test('#20 whose verification value another merchant used under the same session is refused', async () => {
    const cvv = { claims: { jti: randomUUID() } };
    const sid = randomUUID();
    await vault.ingest({ sid, cvv });
    expect(await refusalOf({ sid, merchant_id: 'merchant-b', cvv })).toBe('sealed_card_replayed');
  });

  test('#20 is refused completely if its verification value is a replay', async () => {
    const claims = { jti: randomUUID() };
    await vault.ingest({ cvv: { claims } });
    const countBefore = await vault.database.query('select count(*) from vault.cards');
    expect(await refusalOf({ cvv: { claims } })).toBe('sealed_card_replayed');
    expect(await vault.database.query('select count(*) from vault.cards')).toEqual(countBefore);
  });

  const MINUTE_MS = 60_000;
  const panSealedAt = (offsetMs: number): CardOptions => ({
    pan: { now: Date.parse('2026-11-21T12:00:00Z') + offsetMs },
  });
  test.each<[string, CardOptions, string]>([
    ['sealed for another session', { requestSid: 'another' }, 'wrong_session'],
    ['expired', panSealedAt(-7 * MINUTE_MS), 'sealed_card_expired'],
    ['dated in the future', panSealedAt(2 * MINUTE_MS), 'sealed_card_expired'],
    [
      'that would live too long',
      { pan: { claims: { exp: 9_999_999_999 } } },
      'sealed_card_unreadable',
    ],
    ['without an id', { pan: { claims: { jti: undefined } } }, 'sealed_card_unreadable'],
    ['with a wrong check digit', { pan: { content: { pan: '4242424242424241' } } }, 'invalid_card'],
    ['with a number that is no text', { pan: { content: { pan: 4_242_424_242 } } }, 'invalid_card'],
    ['of a wrong length', { pan: { content: { pan: '42424242424242' } } }, 'invalid_card'],
    [
      'past its month',
      { pan: { content: { expiry_month: 10, expiry_year: 2026 } } },
      'invalid_card',
    ],
    ['with four digits of CVV on Visa', { cvv: { content: { cvv: '1234' } } }, 'invalid_card'],
    ['of another type', { pan: { header: { typ: 'JWT' } } }, 'sealed_card_unreadable'],
    [
      'sealed by key wrapping',
      { pan: { header: { alg: 'ECDH-ES+A256KW' } } },
      'sealed_card_unreadable',
    ],
    ['sealed by another cipher', { pan: { header: { enc: 'A128GCM' } } }, 'sealed_card_unreadable'],
    ['under an unknown key', { pan: { header: { kid: 'unknown' } } }, 'sealed_card_unreadable'],
    ['with a header member too many', { pan: { header: { cty: 'x' } } }, 'sealed_card_unreadable'],
    ['of 100 kB', { pan: { content: { more: 'x'.repeat(100_000) } } }, 'sealed_card_unreadable'],
  ])('#20 %s is refused', async (_name, options, code) => {
    expect(await refusalOf(options)).toBe(code);
  });

  test.each(['none', 'dir', 'RSA1_5', 'RSA-OAEP-256', 'ECDH-ES+A256KW'])(
    '#20 with algorithm %s in its header is refused',
    async (alg) => {
      expect(await ingestWithHeader((header) => ({ ...header, alg }))).toBe(
        'sealed_card_unreadable',
      );
    },
  );

  test('#20 with a key that is not on the curve is refused', async () => {
    const epk = { kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'A'.repeat(43) };
    expect(await ingestWithHeader((header) => ({ ...header, epk }))).toBe('sealed_card_unreadable');
  });

  test('#20 whose tag is truncated is refused', async () => {
    expect(await ingestWithPart(4, (tag) => tag.slice(0, 16))).toBe('sealed_card_unreadable');
  });

  test('#20 whose session is rewritten in the header is refused', async () => {
    const request = await vault.sealedRequest();
    if (request.source.kind !== 'sealed') throw new Error('not sealed');
    const [header = '', ...otherParts] = request.source.pan_jwe.split('.');
    const forgedHeader = {
      ...JSON.parse(Buffer.from(header, 'base64url').toString()),
      sid: 'mine',
    };
    const source = {
      ...request.source,
      sid: 'mine',
      pan_jwe: [encodeHeader(forgedHeader), ...otherParts].join('.'),
    };
    expect(errorOf(await vault.post('/ingest', { ...request, source })).error).toBe(
      'sealed_card_unreadable',
    );
  });

  test('#20 sealed with the key of the other mode is refused', async () => {
    const request = await vault.sealedRequest({ mode: 'live' });
    const answer = await vault.post('/ingest', { ...request, mode: 'sandbox' });
    expect(errorOf(answer).error).toBe('sealed_card_unreadable');
  });
});

describe('fingerprints', () => {
  test('are equal for equal numbers of one merchant and differ between merchants', async () => {
    const [firstCard, secondCard, otherCard] = [
      await vault.ingest(),
      await vault.ingest(),
      await vault.ingest({ merchant_id: 'merchant-b' }),
    ];
    expect(secondCard.fingerprint).toBe(firstCard.fingerprint);
    expect(secondCard.card_pan_token).not.toBe(firstCard.card_pan_token);
    expect(otherCard.fingerprint).not.toBe(firstCard.fingerprint);
  });
});

describe('a named test token', () => {
  const ingestToken = (mode: string, pan_token: string, cvv_token?: string) =>
    vault.post('/ingest', {
      merchant_id: 'merchant-a',
      mode,
      source: { kind: 'test_token', pan_token, cvv_token, expiry_month: 1, expiry_year: 2031 },
    });

  test('becomes tokens in the sandbox', async () => {
    const { text } = await ingestToken('sandbox', 'pan_test_amex', 'cvv_test');
    expect(JSON.parse(text)).toMatchObject({ kind: 'amex', last_four: '9990', expiry_year: 2031 });
  });

  test.each([
    ['live', 'pan_test_visa', 'cvv_test'],
    ['sandbox', 'pan_test_nobody', 'cvv_test'],
    ['sandbox', 'pan_test_visa', 'cvv_other'],
  ])('is unknown in %s as %s with %s', async (mode, pan, cvv) => {
    const answer = await ingestToken(mode, pan, cvv);
    expect([answer.status, errorOf(answer).error]).toEqual([422, 'unknown_token']);
  });
});

describe('describing a card', () => {
  test('returns the same data as ingesting, to its merchant', async () => {
    const { card_cvv_token: _, ...card } = await vault.ingest();
    const { card_pan_token } = card;
    const answer = await vault.post('/describe', {
      merchant_id: 'merchant-a',
      mode: 'sandbox',
      card_pan_token,
    });
    expect(JSON.parse(answer.text)).toEqual(card);
  });

  test.each([
    ['merchant-b', 'sandbox'],
    ['merchant-a', 'live'],
  ])('does not know it for %s in %s', async (merchant_id, mode) => {
    const { card_pan_token } = await vault.ingest();
    const answer = await vault.post('/describe', { merchant_id, mode, card_pan_token });
    expect([answer.status, errorOf(answer).error]).toEqual([422, 'unknown_token']);
  });
});

describe('a request of the wrong form', () => {
  const WALLET = {
    merchant_id: 'm',
    mode: 'sandbox',
    source: { kind: 'wallet', wallet: 'apple_pay', token: '{}', sid: 's' },
  };
  test.each<[string, unknown, string]>([
    ['no JSON', '{"pan":"4242', 'The body must be JSON.'],
    ['a list', [], 'The body must be an object.'],
    ['no merchant', { mode: 'live' }, 'merchant_id must be a string of 1 to 64 characters.'],
    ['no mode', { merchant_id: 'm' }, 'mode must be live or sandbox.'],
    [
      'a source of an unknown kind',
      { merchant_id: 'm', mode: 'live', source: {} },
      'source.kind must be sealed, wallet, network_token or test_token.',
    ],
    [
      'an unknown currency',
      { ...WALLET, source: { ...WALLET.source, currency: 'usd' } },
      'source.currency must be an ISO 4217 code.',
    ],
    ['too long', `"${'x'.repeat(2 ** 20)}"`, 'The body must be at most 1048576 bytes.'],
  ])('%s is answered with 400 and the wrong member', async (_name, body, detail) => {
    const answer = await vault.post('/ingest', body);
    expect([answer.status, errorOf(answer)]).toEqual([400, { error: 'bad_request', detail }]);
  });

  test.each(['/nowhere', '/constructor', '/ingest?x=1'])('there is no path %s', async (path) => {
    expect((await vault.post(path, {})).status).toBe(404);
  });
});

describe('sealing keys', () => {
  test('stay the same across a restart', async () => {
    const keyBefore = await vault.fetchKey('live');
    await vault.restart();
    expect(await vault.fetchKey('live')).toEqual(keyBefore);
  });

  test('#20 that are retired are no longer published, and open cards for 48 hours more', async () => {
    const request = await vault.sealedRequest();
    const retire = (age: string) =>
      vault.database.query(
        `update vault.sealing_keys set retired_at = $1::timestamptz - $2::interval where mode = 'sandbox' and kid = $3`,
        [new Date(vault.clock.now), age, kid],
      );
    const { kid } = await vault.fetchKey('sandbox');
    await retire('47 hours');
    expect((await vault.fetchKey('sandbox')).kid).not.toBe(kid);
    expect((await vault.post('/ingest', request)).status).toBe(200);
    await retire('49 hours');
    expect(errorOf(await vault.post('/ingest', request)).error).toBe('sealed_card_unreadable');
  });
});

test('the first forms of an installation get the same keys, also more at once than the vault has connections', async () => {
  await using newVault = await startTestVault([], { connections_max: 4 });
  const answers = await Promise.all(Array.from({ length: 30 }, () => newVault.get('/keys')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});
