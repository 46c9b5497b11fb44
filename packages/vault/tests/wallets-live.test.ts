import { createHash, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WalletKind } from '@florin/contract/protocol/vault.ts';
import { createAppleToken } from '@florin/simulator/wallets/apple-token.ts';
import {
  createAppleAuthority,
  createGoogleAuthority,
} from '@florin/simulator/wallets/authority.ts';
import { certificateOf } from '@florin/simulator/wallets/certificate.ts';
import { createGoogleToken } from '@florin/simulator/wallets/google-token.ts';
import { keysOf as keysOfPhrase, spkiOf } from '@florin/simulator/wallets/keys.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configFromEnv } from '../src/config/env.ts';
import { SANDBOX_APPLE_ROOT, SANDBOX_GOOGLE_ROOT } from '../src/wallets/sandbox-roots.ts';
import { parseWalletSetups, type WalletsConfig } from '../src/wallets/setup.ts';
import { errorOf, startTestVault, type TestVault } from './support/vault.ts';
import {
  createAppleTerms,
  createAppleTokenFor,
  createGooglePayload,
  createGoogleTerms,
  createGoogleTokenFor,
  fetchWalletKeys,
  submitToken,
} from './support/wallets.ts';

/** Authorities and keys of an operator, other than the sandbox's. */
const liveAuthorities = {
  apple: createAppleAuthority('Live'),
  google: createGoogleAuthority('Live'),
};
const pemOf = (key: KeyObject) => key.export({ format: 'pem', type: 'pkcs8' }).toString();
const [appleKey, googleKey] = [keysOfPhrase('live apple'), keysOfPhrase('live google')];
const googleRootsOf = (key: KeyObject) =>
  JSON.stringify({
    keys: [
      { keyValue: 'AAAA', protocolVersion: 'ECv1' },
      {
        keyValue: spkiOf(key).toString('base64'),
        protocolVersion: 'ECv2',
        keyExpiration: '2154841200000',
      },
    ],
  });
const config = {
  apple_pay: {
    merchant_identifier: 'merchant.example.shop',
    root: new X509Certificate(certificateOf(liveAuthorities.apple.root)).toString(),
    key: pemOf(appleKey.privateKey),
  },
  google_pay: {
    recipient_id: 'merchant:1234',
    roots: googleRootsOf(liveAuthorities.google.root.publicKey),
    key: pemOf(googleKey.privateKey),
  },
} satisfies WalletsConfig;

let vault: TestVault;
beforeAll(async () => {
  vault = await startTestVault([], { wallets: config });
});
afterAll(() => vault?.[Symbol.asyncDispose]());

const submitForCode = async (...args: Parameters<typeof submitToken>): Promise<string | number> => {
  const answer = await submitToken(...args);
  return answer.status === 200 ? 200 : errorOf(answer).error;
};

const createLiveToken = async (wallet: WalletKind): Promise<object> =>
  wallet === 'apple_pay'
    ? createAppleToken(await createAppleTerms(vault, { authority: liveAuthorities.apple }, 'live'))
    : createGoogleToken(
        await createGoogleTerms(vault, { authority: liveAuthorities.google }, 'live'),
      );

test('forms show the live wallets that the operator configured', async () => {
  expect(await fetchWalletKeys(vault, 'live')).toEqual({
    mode: 'live',
    apple_pay: {
      merchant_identifier: 'merchant.example.shop',
      public_key_hash: createHash('sha256').update(spkiOf(appleKey.publicKey)).digest('base64'),
      public_key: spkiOf(appleKey.publicKey).toString('base64'),
    },
    google_pay: {
      recipient_id: 'merchant:1234',
      merchant_id: '1234',
      public_key: spkiOf(googleKey.publicKey).subarray(-65).toString('base64'),
    },
  });
});

describe.each(['apple_pay', 'google_pay'] as const)('%s', (wallet) => {
  test("opens in live mode what is signed under the operator's roots", async () => {
    expect(
      await submitForCode(vault, wallet, await createLiveToken(wallet), { mode: 'live' }),
    ).toBe(200);
  });

  test('opens no live token in the sandbox', async () => {
    expect(await submitForCode(vault, wallet, await createLiveToken(wallet))).toBe(
      'wallet_token_unreadable',
    );
  });

  test('opens no sandbox token in live mode, not even one for its live key', async () => {
    const sandboxToken = await (wallet === 'apple_pay'
      ? createAppleTokenFor
      : createGoogleTokenFor)(vault);
    const liveKeyToken =
      wallet === 'apple_pay'
        ? createAppleToken(await createAppleTerms(vault, {}, 'live'))
        : createGoogleToken(await createGoogleTerms(vault, {}, 'live'));
    for (const token of [sandboxToken, liveKeyToken]) {
      expect(await submitForCode(vault, wallet, token, { mode: 'live' })).toBe(
        'wallet_token_unreadable',
      );
    }
  });

  test('stores the key under the root key, and only its hash in the audit', async () => {
    const [row] = await vault.database.query(
      `select key_id, wrapped from vault.wallet_keys where mode = 'live' and wallet = $1`,
      [wallet],
    );
    const { privateKey } = wallet === 'apple_pay' ? appleKey : googleKey;
    const { d = '' } = privateKey.export({ format: 'jwk' });
    expect((row!.wrapped as Buffer).includes(Buffer.from(d, 'base64url'))).toBe(false);
    const audit = await vault.database.query(
      `select outcome from vault.audit where verb = 'take_wallet_key' and outcome = $1`,
      [`${wallet} ${row!.key_id}`],
    );
    expect(audit).toHaveLength(1);
  });
});

test('a gateway is published with its Google merchant id, if the operator sets one', async () => {
  const gateway = { ...config.google_pay, recipient_id: 'gateway:example' };
  const publishGateway = async (google_pay: typeof gateway & { merchant_id?: string }) => {
    await vault.restart({ wallets: { ...config, google_pay } });
    return (await fetchWalletKeys(vault, 'live')).google_pay;
  };
  expect(await publishGateway(gateway)).not.toHaveProperty('merchant_id');
  expect(await publishGateway({ ...gateway, merchant_id: 'BCR2DN' })).toMatchObject({
    gateway: 'example',
    merchant_id: 'BCR2DN',
  });
  await vault.restart();
});

test("a merchant's own account with Google names no Florin merchant", async () => {
  const { gatewayMerchantId: _, ...payload } = createGooglePayload(vault);
  const terms = await createGoogleTerms(
    vault,
    { authority: liveAuthorities.google, payload },
    'live',
  );
  expect(await submitForCode(vault, 'google_pay', createGoogleToken(terms), { mode: 'live' })).toBe(
    200,
  );
});

test('adopted keys open without their files, and are not adopted twice', async () => {
  const [token, keysBefore] = [
    await createLiveToken('google_pay'),
    await fetchWalletKeys(vault, 'live'),
  ];
  const queryKeys = () => vault.database.query('select from vault.wallet_keys');
  const keyCount = (await queryKeys()).length;
  await vault.restart();
  expect(await queryKeys()).toHaveLength(keyCount);
  expect(await fetchWalletKeys(vault, 'live')).toEqual(keysBefore);
  expect(await submitForCode(vault, 'google_pay', token, { mode: 'live' })).toBe(200);
});

test('a key that is restored is published again', async () => {
  const readPublishedKey = async () => (await fetchWalletKeys(vault, 'live')).apple_pay?.public_key;
  const startWith = async (key: string): Promise<void> => {
    vault.clock.now += 1;
    await vault.restart({ wallets: { ...config, apple_pay: { ...config.apple_pay, key } } });
  };
  const keyBefore = await readPublishedKey();
  const newerKey = keysOfPhrase('a newer apple');
  await startWith(pemOf(newerKey.privateKey));
  expect(await readPublishedKey()).toBe(spkiOf(newerKey.publicKey).toString('base64'));
  await startWith(config.apple_pay.key);
  expect(await readPublishedKey()).toBe(keyBefore);
});

describe('does not start', () => {
  const p384 = pemOf(generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).privateKey);
  const { apple_pay, google_pay } = config;
  test.each<[string, WalletsConfig, string]>([
    [
      'with the root of the sandbox for Apple',
      { apple_pay: { ...apple_pay, root: SANDBOX_APPLE_ROOT } },
      'must not hold the root of the sandbox',
    ],
    [
      'with the root of the sandbox for Google',
      {
        google_pay: { ...google_pay, roots: googleRootsOf(createGoogleAuthority().root.publicKey) },
      },
      'must not hold the root of the sandbox',
    ],
    [
      'without a certificate',
      { apple_pay: { ...apple_pay, root: 'x' } },
      'VAULT_APPLE_PAY_ROOT_FILE',
    ],
    [
      'without roots',
      { google_pay: { ...google_pay, roots: '{}' } },
      'VAULT_GOOGLE_PAY_ROOTS_FILE',
    ],
    [
      'with roots of another protocol',
      { google_pay: { ...google_pay, roots: '{"keys":[]}' } },
      'ECv2',
    ],
    [
      'with a recipient of no kind',
      { google_pay: { ...google_pay, recipient_id: 'x' } },
      'RECIPIENT',
    ],
  ])('%s', (_name, wallets, message) => {
    expect(() => parseWalletSetups(wallets)).toThrow(message);
  });

  test.each([
    ['of another curve', p384],
    ['that is none', 'secret'],
  ])('with a key %s, which it does not quote', async (_name, key) => {
    const startPromise = startTestVault([], { wallets: { google_pay: { ...google_pay, key } } });
    await expect(startPromise).rejects.toThrow(
      /^VAULT_GOOGLE_PAY_KEY_FILE must hold a private key/,
    );
  });
});

test("the sandbox's roots are those that the simulator signs with", () => {
  const root = new X509Certificate(SANDBOX_APPLE_ROOT);
  const { subject } = createAppleAuthority().root;
  expect(root.publicKey.equals(subject.keys.publicKey)).toBe(true);
  expect(root.subject).toBe(`CN=${subject.name}`);
  const googleRoot = spkiOf(createGoogleAuthority().root.publicKey);
  expect(googleRoot.toString('base64')).toBe(SANDBOX_GOOGLE_ROOT);
});

describe('the environment', () => {
  const tempDir = mkdtempSync(join(tmpdir(), 'vault-'));
  afterAll(() => rmSync(tempDir, { recursive: true }));
  const createFile = (name: string, text: string): string => {
    writeFileSync(join(tempDir, name), text);
    return join(tempDir, name);
  };
  const baseEnv = { VAULT_SOCKET: 'x', VAULT_DATABASE_URL: 'x', VAULT_DATA: 'x' };

  test('names files, whose contents the vault reads', () => {
    const { wallets } = configFromEnv({
      ...baseEnv,
      VAULT_APPLE_PAY_MERCHANT: 'merchant.example.shop',
      VAULT_APPLE_PAY_ROOT_FILE: createFile('root.pem', 'a root'),
      VAULT_APPLE_PAY_KEY_FILE: createFile('key.pem', 'a key\n'),
      VAULT_GOOGLE_PAY_RECIPIENT: 'gateway:example',
      VAULT_GOOGLE_PAY_MERCHANT: 'BCR2DN',
      VAULT_GOOGLE_PAY_ROOTS_FILE: createFile('roots.json', '{}'),
    });
    expect(wallets).toEqual({
      apple_pay: { merchant_identifier: 'merchant.example.shop', root: 'a root', key: 'a key' },
      google_pay: { recipient_id: 'gateway:example', merchant_id: 'BCR2DN', roots: '{}' },
    });
    expect(configFromEnv(baseEnv).wallets).toEqual({});
  });

  test.each([
    [{ VAULT_APPLE_PAY_MERCHANT: 'm' }, 'VAULT_APPLE_PAY_ROOT_FILE is not set'],
    [
      { VAULT_GOOGLE_PAY_RECIPIENT: 'gateway:g', VAULT_GOOGLE_PAY_ROOTS_FILE: '/nowhere' },
      'VAULT_GOOGLE_PAY_ROOTS_FILE cannot be read',
    ],
  ])('that lacks a file is refused by its name', (variables, message) => {
    expect(() => configFromEnv({ ...baseEnv, ...variables })).toThrow(message);
  });
});
