import { generateKeyPairSync, randomUUID } from 'node:crypto';
import {
  appleToken,
  encryptForApple,
  signForApple,
} from '@florin/simulator/wallets/apple-token.ts';
import { appleAuthority, googleAuthority } from '@florin/simulator/wallets/authority.ts';
import type { CertificateTerms } from '@florin/simulator/wallets/certificate.ts';
import { encryptForGoogle, signForGoogle } from '@florin/simulator/wallets/google-token.ts';
import { keysOf as keysOfPhrase } from '@florin/simulator/wallets/keys.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorOf, startTestVault, type TestVault } from './support/vault.ts';
import {
  type AppleChanges,
  applePayload,
  appleTerms,
  type GoogleChanges,
  googleDetails,
  googlePayload,
  googleTerms,
  handIn,
  NUMBER,
  type Use,
} from './support/wallets.ts';

const MINUTE = 60_000;

let vault: TestVault;
beforeAll(async () => {
  vault = await startTestVault();
});
afterAll(() => vault?.[Symbol.asyncDispose]());

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };
type Change<T> = (changed: Writable<T>) => unknown;

/** Takes a member away. */
const lose =
  (name: string): Change<object> =>
  (token) =>
    Reflect.deleteProperty(token, name);

const flip = (base64: string, at = -1): string => {
  const bytes = Buffer.from(base64, 'base64');
  const index = at < 0 ? bytes.length + at : at;
  bytes[index]! ^= 1;
  return bytes.toString('base64');
};
const cut = (base64: string, bytes: number): string =>
  Buffer.from(base64, 'base64').subarray(0, -bytes).toString('base64');
const other = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).publicKey;
const p384 = () =>
  generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).publicKey.export({
    format: 'der',
    type: 'spki',
  });
const without = <T extends object>(from: T, name: keyof T): Omit<T, keyof T> => {
  const { [name]: _, ...rest } = from;
  return rest;
};

/** What is refused, and how. */
interface Refusal {
  readonly why: string | RegExp;
  readonly code?: string;
  readonly use?: Use;
}

interface Case<Token, Message> extends Refusal {
  /** Of the terms that the token is made on. */
  readonly terms?: () => object;
  /** Of what is encrypted, before it is signed. */
  readonly message?: Change<Message>;
  /** Of the finished token. */
  readonly token?: Change<Token>;
}

const refusals = async (
  name: string,
  wallet: 'apple_pay' | 'google_pay',
  one: Refusal,
  text: string,
) => {
  const answer = await handIn(vault, wallet, text, one.use);
  const { error, detail } = errorOf(answer);
  expect([name, answer.status, error, detail]).toEqual([
    name,
    422,
    one.code ?? 'wallet_token_unreadable',
    expect.stringMatching(one.why),
  ]);
  expect(answer.text).not.toContain(NUMBER);
};

const expiredCode = { code: 'wallet_token_expired' };
const details = (changes: object) => () => ({
  payload: googlePayload(vault, { ...googleDetails, ...changes }),
});
const contents = (changes: object) => () => ({ payload: { ...googlePayload(vault), ...changes } });
const at = (ms: number): Date => new Date(vault.clock.now + ms);

type GoogleCase = Case<ReturnType<typeof signForGoogle>, ReturnType<typeof encryptForGoogle>>;

const google: Readonly<Record<string, GoogleCase>> = {
  'another protocol': { why: 'ECv2', token: (t) => (t.protocolVersion = 'ECv1') },
  'no signature': { why: 'signature is missing', token: lose('signature') },
  'a signature that was changed': {
    why: 'signature does not',
    token: (t) => (t.signature = flip(t.signature)),
  },
  'a signature that is no base64': {
    why: 'not base64',
    token: (t) => (t.signature = `${t.signature} `),
  },
  'another message under the signature': {
    why: 'signature does not',
    token: (t) => (t.signedMessage = t.signedMessage.replace('{', '{ ')),
  },
  'no intermediate key': {
    why: 'intermediateSigningKey',
    token: lose('intermediateSigningKey'),
  },
  'an intermediate key that nobody signed': {
    why: 'not signed by a known root',
    token: (t) => (t.intermediateSigningKey.signatures = []),
  },
  'more signatures than there are roots': {
    why: 'at most 8',
    token: (t) => (t.intermediateSigningKey.signatures = Array(9).fill(t.signature)),
  },
  'an intermediate key that was put in the place of the signed one': {
    why: 'not signed by a known root',
    token: (t) => {
      const key = JSON.parse(t.intermediateSigningKey.signedKey);
      key.keyExpiration += '0';
      t.intermediateSigningKey.signedKey = JSON.stringify(key);
    },
  },
  'a root of somebody else': {
    why: 'not signed by a known root',
    terms: () => ({ authority: googleAuthority('Somebody') }),
  },
  'a message signed by the root itself': {
    why: 'signature does not',
    terms: () => {
      const { root, intermediate } = googleAuthority();
      return {
        authority: { root, intermediate: { ...intermediate, privateKey: root.privateKey } },
      };
    },
  },
  'an intermediate key that has expired': {
    why: 'the intermediate key has expired',
    ...expiredCode,
    terms: () => ({ keyExpiration: at(0) }),
  },
  'a message that has expired': {
    why: 'messageExpiration',
    ...expiredCode,
    terms: () => contents({ messageExpiration: String(vault.clock.now) })(),
  },
  'an expiry that is no time': {
    why: 'not a time',
    terms: contents({ messageExpiration: 'never' }),
  },
  'another recipient': {
    why: 'for this recipient',
    terms: () => ({ recipient_id: 'gateway:else' }),
  },
  "another recipient's key": { why: 'another key', terms: () => ({ recipient: other() }) },
  "another merchant's id": {
    why: 'gatewayMerchantId',
    terms: contents({ gatewayMerchantId: 'x' }),
  },
  'no merchant': { why: 'gatewayMerchantId', terms: contents({ gatewayMerchantId: undefined }) },
  'another merchant who hands it in': {
    why: 'gatewayMerchantId',
    use: { merchant_id: 'merchant-b' },
  },
  'a tag that was cut': { why: 'tag does not hold', message: (m) => (m.tag = cut(m.tag, 16)) },
  'a tag that was changed': { why: 'tag does not hold', message: (m) => (m.tag = flip(m.tag, 0)) },
  'a ciphertext that was changed': {
    why: 'tag does not hold',
    message: (m) => (m.encryptedMessage = flip(m.encryptedMessage, 0)),
  },
  'a point that is not on the curve': {
    why: 'not a key of P-256',
    message: (m) => (m.ephemeralPublicKey = flip(m.ephemeralPublicKey)),
  },
  'a point at infinity': {
    why: 'not a key of P-256',
    message: (m) => (m.ephemeralPublicKey = Buffer.alloc(65, 0).toString('base64')),
  },
  'a point of another length': {
    why: 'not a key of P-256',
    message: (m) => (m.ephemeralPublicKey = cut(m.ephemeralPublicKey, 32)),
  },
  'no card': { why: 'paymentMethod', terms: contents({ paymentMethod: 'TOKENIZED_CARD' }) },
  'no details': { why: 'paymentMethod', terms: contents({ paymentMethodDetails: null }) },
  'no id': { why: 'messageId', terms: contents({ messageId: undefined }) },
  'an unknown way to authenticate': {
    why: 'authMethod',
    terms: details({ authMethod: 'TRUST_ME' }),
  },
  'no cryptogram': { why: 'cryptogram', terms: details({ cryptogram: undefined }) },
  'an indicator of letters': { why: 'eciIndicator', terms: details({ eciIndicator: 'ab' }) },
  'a number with a wrong check digit': {
    why: 'number is not valid',
    code: 'invalid_card',
    terms: details({ pan: '4242424242424241' }),
  },
  'a card that has expired': {
    why: 'expiry date',
    code: 'invalid_card',
    terms: details({ expirationYear: 2025 }),
  },
};

const [leaf, intermediate] = appleAuthority().chain as [CertificateTerms, CertificateTerms];
const chain =
  (...terms: CertificateTerms[]) =>
  () => ({
    authority: { ...appleAuthority(), chain: terms },
  });
const impostor = keysOfPhrase('an impostor');
const payload = (changes: object) => () => ({ payload: { ...applePayload, ...changes } });

type AppleCase = Case<ReturnType<typeof signForApple>, ReturnType<typeof encryptForApple>>;

const apple: Readonly<Record<string, AppleCase>> = {
  'RSA, by its name': { why: 'RSA_v1 is not supported', token: (t) => (t.version = 'RSA_v1') },
  'another version': { why: 'not EC_v1', token: (t) => (t.version = 'EC_v2') },
  'no header': { why: 'header', token: lose('header') },
  'no signature': { why: 'signature is missing', token: lose('signature') },
  'a signature that is no CMS': { why: 'not CMS', token: (t) => (t.signature = 'AAAA') },
  'a signature that was cut': { why: 'not CMS', token: (t) => (t.signature = cut(t.signature, 9)) },
  'a signature with something behind it': {
    why: 'not CMS',
    token: (t) =>
      (t.signature = Buffer.concat([Buffer.from(t.signature, 'base64'), Buffer.alloc(2)]).toString(
        'base64',
      )),
  },
  'a signature that was changed': {
    why: 'signature does not hold',
    token: (t) => (t.signature = flip(t.signature)),
  },
  'other data under the signature': { why: 'other data', token: (t) => (t.data = flip(t.data, 0)) },
  'another transaction': {
    why: 'other data',
    token: (t) => (t.header.transactionId = '00'.repeat(32)),
  },
  'application data that nobody signed': {
    why: 'other data',
    token: (t) => (t.header.applicationData = '00'.repeat(32)),
  },
  'another ephemeral key': {
    why: 'other data',
    token: (t) => (t.header.ephemeralPublicKey = flip(t.header.ephemeralPublicKey)),
  },
  'a transaction that is no hexadecimal': {
    why: 'not hexadecimal',
    token: (t) => (t.header.transactionId = 'zz'),
  },
  'an unknown key': { why: 'publicKeyHash', terms: () => ({ recipient: other() }) },
  'the hash of an unknown key': {
    why: 'publicKeyHash',
    token: (t) => (t.header.publicKeyHash = flip(t.header.publicKeyHash)),
  },
  'another merchant identifier': {
    why: 'another merchant',
    terms: () => ({ merchant_identifier: 'merchant.else' }),
  },
  'a tag that was cut': {
    why: 'tag does not hold',
    message: (m) => (m.data = m.data.subarray(0, -4)),
  },
  'less than a tag': { why: 'tag does not hold', message: (m) => (m.data = m.data.subarray(0, 8)) },
  'a ciphertext that was changed': {
    why: 'tag does not hold',
    message: (m) => (m.data = Buffer.from(flip(m.data.toString('base64'), 0), 'base64')),
  },
  'a point that is not on the curve': {
    why: 'not a key of P-256',
    message: (m) => (m.ephemeral = Buffer.from(flip(m.ephemeral.toString('base64')), 'base64')),
  },
  'a key of another curve': { why: 'not a key of P-256', message: (m) => (m.ephemeral = p384()) },
  'a root of somebody else': {
    why: 'do not lead to the root',
    terms: () => ({ authority: appleAuthority('Somebody') }),
  },
  'a root of the same name': {
    why: 'do not lead to the root',
    terms: chain(leaf, { ...intermediate, issuer: { ...intermediate.issuer, keys: impostor } }),
  },
  'a leaf of an impostor with the name of its issuer': {
    why: 'do not lead to the root',
    terms: chain({ ...leaf, issuer: { ...leaf.issuer, keys: impostor } }, intermediate),
  },
  'a leaf without the marker': {
    why: 'not those of payment tokens',
    terms: chain(without(leaf, 'marker') as CertificateTerms, intermediate),
  },
  'an intermediate without the marker': {
    why: 'not those of payment tokens',
    terms: chain(leaf, without(intermediate, 'marker') as CertificateTerms),
  },
  'no intermediate': { why: 'not those of payment tokens', terms: chain(leaf) },
  'two leaves': { why: 'not those of payment tokens', terms: chain(leaf, leaf, intermediate) },
  'five certificates': {
    why: 'too many certificates',
    terms: chain(leaf, intermediate, intermediate, intermediate, intermediate),
  },
  'an intermediate that may not issue': {
    why: 'do not lead to the root',
    terms: chain(leaf, { ...intermediate, ca: false }),
  },
  'a leaf that may issue': {
    why: 'do not lead to the root',
    terms: chain({ ...leaf, ca: true }, intermediate),
  },
  'an intermediate that has expired': {
    why: 'out of its time',
    ...expiredCode,
    terms: () => chain(leaf, { ...intermediate, notAfter: at(-MINUTE) })(),
  },
  'a leaf that is not valid yet': {
    why: 'out of its time',
    ...expiredCode,
    terms: () => chain({ ...leaf, notBefore: at(MINUTE) }, intermediate)(),
  },
  'a signature of six minutes ago': {
    why: 'signed too long ago',
    ...expiredCode,
    terms: () => ({ signedAt: at(-6 * MINUTE) }),
  },
  'a signature of the future': {
    why: 'signed too long ago',
    ...expiredCode,
    terms: () => ({ signedAt: at(6 * MINUTE) }),
  },
  'another amount': { why: 'transactionAmount', use: { amount: 2500 } },
  'EMV data': { why: 'paymentDataType', terms: payload({ paymentDataType: 'EMV' }) },
  'no cryptogram': { why: 'cryptogram', terms: payload({ paymentData: {} }) },
  'no expiry': {
    why: 'applicationExpirationDate',
    terms: payload({ applicationExpirationDate: 1 }),
  },
  'an expiry that is no date': {
    why: 'expiry date',
    code: 'invalid_card',
    terms: payload({ applicationExpirationDate: '3012' }),
  },
  'a number that is none': {
    why: 'number is not valid',
    code: 'invalid_card',
    terms: payload({ applicationPrimaryAccountNumber: 42 }),
  },
};

async function googleText({ terms, message = () => {}, token: change = () => {} }: GoogleCase) {
  const made = await googleTerms(vault, terms?.() as GoogleChanges);
  const encrypted = encryptForGoogle(made);
  message(encrypted);
  const token = signForGoogle(made, encrypted);
  change(token);
  return JSON.stringify(token);
}

async function appleText({ terms, message = () => {}, token: change = () => {} }: AppleCase) {
  const made = await appleTerms(vault, terms?.() as AppleChanges);
  const encrypted = encryptForApple(made);
  message(encrypted);
  const token = signForApple(made, encrypted);
  change(token);
  return JSON.stringify(token);
}

describe('a token of Google Pay is refused with', () => {
  test.each(Object.entries(google))('%s', async (name, one) => {
    await refusals(name, 'google_pay', one, await googleText(one));
  });
});

describe('a token of Apple Pay is refused with', () => {
  test.each(Object.entries(apple))('%s', async (name, one) => {
    await refusals(name, 'apple_pay', one, await appleText(one));
  });
});

test('and each of these tokens is good without what is wrong with it', async () => {
  expect((await handIn(vault, 'google_pay', await googleText({ why: '' }))).status).toBe(200);
  const use = { amount: applePayload.transactionAmount };
  expect((await handIn(vault, 'apple_pay', await appleText({ why: '' }), use)).status).toBe(200);
});

describe.each(['apple_pay', 'google_pay'] as const)('for %s', (wallet) => {
  test.each<[string, string]>([
    ['what is no JSON', `4242 ${NUMBER}`],
    ['a list', '[]'],
    ['an empty object', '{}'],
    ['something nested', `{"header":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
  ])('%s is unreadable', async (name, text) => {
    await refusals(name, wallet, { why: '' }, text);
  });

  test('more than 16 kB are unreadable', async () => {
    await refusals('long', wallet, { why: 'longer' }, `"${'€'.repeat(6_000)}"`);
  });

  test("the other wallet's token is unreadable", async () => {
    const text = await (wallet === 'apple_pay' ? googleText : appleText)({ why: '' });
    await refusals('other', wallet, { why: '' }, text);
  });
});

test('a transaction of Apple Pay is used once, whoever signs it anew', async () => {
  const transactionId = Buffer.from(randomUUID());
  const [one, two] = [
    appleToken(await appleTerms(vault, { transactionId })),
    appleToken(await appleTerms(vault, { transactionId })),
  ];
  expect((await handIn(vault, 'apple_pay', one)).status).toBe(200);
  expect(errorOf(await handIn(vault, 'apple_pay', two)).error).toBe('wallet_token_replayed');
});

test('a message of Google Pay stands for one card, whatever comes under its id', async () => {
  const sid = randomUUID();
  const payload = googlePayload(vault);
  const changed = { ...payload, paymentMethodDetails: { ...googleDetails, expirationMonth: 11 } };
  const first = await googleText({ why: '', terms: () => ({ payload }) });
  const second = await googleText({ why: '', terms: () => ({ payload: changed }) });
  expect((await handIn(vault, 'google_pay', first, { sid })).status).toBe(200);
  const answer = await handIn(vault, 'google_pay', second, { sid });
  expect(errorOf(answer).error).toBe('wallet_token_replayed');
});
