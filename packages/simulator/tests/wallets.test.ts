import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  type AuthorisationRequest,
  type WalletSheetAnswer,
  type WalletSheetRequest,
  walletSheetPaths,
} from '@florin/contract/protocol/network.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSimulator, type Simulator } from '../src/app.ts';
import { responseCodes } from '../src/response-codes.ts';
import { createAppleAuthority } from '../src/wallets/authority.ts';
import { certificateOf } from '../src/wallets/certificate.ts';
import { createWalletCryptogram } from '../src/wallets/cryptogram.ts';
import { pointOf, spkiOf } from '../src/wallets/keys.ts';
import { signDetached } from '../src/wallets/signed-data.ts';
import { type Client, createAuthorisationRequest, createClient, createDataDir } from './client.ts';

const SEED = 20_261_121;

let simulator: Simulator;
let client: Client;
beforeAll(async () => {
  simulator = await createSimulator({ dataDir: createDataDir(), port: 0 });
  client = createClient(simulator.url);
});
afterAll(() => simulator[Symbol.asyncDispose]());

describe('a cryptogram of a device', () => {
  const { card, amount, currency } = createAuthorisationRequest();
  const purchase = { number: card.number, amount, currency };
  const pay = (cryptogram: string, changes: Partial<Omit<AuthorisationRequest, 'card'>> = {}) =>
    client.authorise(
      createAuthorisationRequest({
        wallet: { kind: 'apple_pay', cryptogram, eci: '05' },
        ...changes,
      }),
    );

  test('is approved for its transaction', async () => {
    expect((await pay(createWalletCryptogram(purchase))).result).toBe('approved');
  });

  test('is accepted for any amount if it has none', async () => {
    expect((await pay(createWalletCryptogram({ ...purchase, amount: 0 }))).result).toBe('approved');
  });

  test.each<[string, string]>([
    ['another amount', createWalletCryptogram({ ...purchase, amount: amount + 1 })],
    ['another card', createWalletCryptogram({ ...purchase, number: '4242424242424242' })],
    ['another currency', createWalletCryptogram({ ...purchase, currency: 'EUR' })],
    ['nothing at all', 'AgAAAAAABk4DWZ4C28yUQAAAAAA='],
    ['what cannot be read', 'x'],
  ])('that was made for %s is declined', async (_name, cryptogram) => {
    expect((await pay(cryptogram)).response_code).toBe(responseCodes.generic_decline);
  });

  test('is accepted for one approval, whose response can be repeated', async () => {
    const cryptogram = createWalletCryptogram(purchase);
    expect((await pay(cryptogram, { reference: 'device-1' })).result).toBe('approved');
    expect((await pay(cryptogram, { reference: 'device-1' })).result).toBe('approved');
    expect((await pay(cryptogram)).result).toBe('declined');
    await client.reverse('device-1');
    expect((await pay(cryptogram)).result).toBe('approved');
  });

  test("a device's number is charged without one, like a stored card", async () => {
    const { result } = await client.authorise(
      createAuthorisationRequest({ wallet: { kind: 'google_pay' } }),
    );
    expect(result).toBe('approved');
  });

  test.each([
    ['kind', { kind: 'wallet' }],
    ['eci', { kind: 'apple_pay', eci: '7' }],
    ['cryptogram', { kind: 'apple_pay', cryptogram: 5 }],
    ['wallet', 'apple_pay'],
  ])('a wallet with a wrong %s is an invalid message', async (name, wallet) => {
    const body = { ...createAuthorisationRequest(), wallet };
    const response = await client.sendRaw('POST', '/v1/authorisations', body);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(name);
  });
});

describe('the sheet', () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const appleRequest: WalletSheetRequest = {
    card: 'pan_test_visa',
    kind: 'cryptogram',
    amount: 2499,
    currency: 'USD',
    public_key: spkiOf(publicKey).toString('base64'),
    merchant_identifier: 'merchant.example',
  };
  const { merchant_identifier: _, ...commonMembers } = appleRequest;
  const googleRequest: WalletSheetRequest = {
    ...commonMembers,
    public_key: pointOf(publicKey).toString('base64'),
    recipient_id: 'gateway:example',
  };

  function post(path: string, body: object, host = 'acs.localhost') {
    const { port } = new URL(simulator.url);
    return new Promise<{ status: number; body: string }>((resolve, reject) => {
      const clientRequest = request(
        { port, host: '127.0.0.1', path, method: 'POST', headers: { host } },
        async (response) =>
          resolve({ status: response.statusCode ?? 0, body: await text(response) }),
      );
      clientRequest.on('error', reject).end(JSON.stringify(body));
    });
  }

  test.each([
    ['apple_pay', appleRequest, ['version', 'data', 'signature', 'header']],
    [
      'google_pay',
      googleRequest,
      ['protocolVersion', 'signature', 'intermediateSigningKey', 'signedMessage'],
    ],
  ] as const)(
    'of %s answers with a token of its form, another each time',
    async (wallet, body, members) => {
      const path = walletSheetPaths[wallet];
      const answers = await Promise.all([post(path, body), post(path, body)]);
      const tokens = answers.map((answer) => (JSON.parse(answer.body) as WalletSheetAnswer).token);
      expect(Object.keys(JSON.parse(tokens[0]!) as object)).toEqual(members);
      expect(tokens[1]).not.toBe(tokens[0]);
    },
  );

  test('is at the bank, and nowhere else', async () => {
    expect((await post(walletSheetPaths.apple_pay, appleRequest, '127.0.0.1')).status).toBe(404);
  });

  test.each<[string, 'apple_pay' | 'google_pay', object]>([
    ['card', 'apple_pay', { ...appleRequest, card: 'pan_test_nobody' }],
    ['kind', 'apple_pay', { ...appleRequest, kind: 'pan_only' }],
    ['kind', 'google_pay', { ...googleRequest, kind: 'cash' }],
    ['amount', 'google_pay', { ...googleRequest, amount: -1 }],
    ['currency', 'google_pay', { ...googleRequest, currency: 'usd' }],
    ['public_key', 'apple_pay', { ...appleRequest, public_key: googleRequest.public_key }],
    ['public_key', 'google_pay', { ...googleRequest, public_key: appleRequest.public_key }],
    ['merchant_identifier', 'apple_pay', googleRequest],
    ['recipient_id', 'google_pay', appleRequest],
  ])('names %s if that is wrong', async (name, wallet, body) => {
    const answer = await post(walletSheetPaths[wallet], body);
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining(name)]);
  });
});

/** Some machines lack the openssl program. */
const lacksOpenssl = spawnSync('openssl', ['version']).status !== 0;

test.skipIf(lacksOpenssl)('a signature is valid for OpenSSL too, for any content', () => {
  const tempDir = mkdtempSync(join(tmpdir(), 'wallets-'));
  const pathOf = (name: string): string => join(tempDir, name);
  const { root, chain } = createAppleAuthority();
  writeFileSync(pathOf('root.pem'), new X509Certificate(certificateOf(root)).toString());
  const verify = (): string =>
    execFileSync(
      'openssl',
      // biome-ignore format: one option a word
      ['cms', '-verify', '-binary', '-inform', 'DER', '-in', pathOf('signature'), '-content', pathOf('content'),
        '-CAfile', pathOf('root.pem'), '-purpose', 'any', '-out', pathOf('out')],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    ).toString();
  try {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (content) => {
        writeFileSync(pathOf('content'), content);
        writeFileSync(pathOf('signature'), signDetached(Buffer.from(content), chain, new Date()));
        verify();
      }),
      { seed: SEED, numRuns: 10 },
    );
    writeFileSync(pathOf('content'), 'something else');
    expect(verify).toThrow();
  } finally {
    rmSync(tempDir, { recursive: true });
  }
});
