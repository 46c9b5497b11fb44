import { generateKeyPairSync, randomUUID } from 'node:crypto';
import {
  createAppleToken,
  encryptForApple,
  signForApple,
} from '@florin/simulator/wallets/apple-token.ts';
import { createAppleAuthority } from '@florin/simulator/wallets/authority.ts';
import type { CertificateTerms } from '@florin/simulator/wallets/certificate.ts';
import { keysOf as keysOfPhrase } from '@florin/simulator/wallets/keys.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorOf, startTestVault, type TestVault } from './support/vault.ts';
import {
  type AppleChanges,
  applePayload,
  appleTerms,
  googleTokenFor,
  handIn,
} from './support/wallets.ts';
import {
  type Case,
  cut,
  expiredCode,
  flip,
  lose,
  MINUTE,
  malformed,
  other,
  refusals,
} from './support/wrong-tokens.ts';

let vault: TestVault;
beforeAll(async () => {
  vault = await startTestVault();
});
afterAll(() => vault?.[Symbol.asyncDispose]());

const p384 = () =>
  generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).publicKey.export({
    format: 'der',
    type: 'spki',
  });
const without = <T extends object>(from: T, name: keyof T): Omit<T, keyof T> => {
  const { [name]: _, ...rest } = from;
  return rest;
};
const at = (ms: number): Date => new Date(vault.clock.now + ms);
const [leaf, intermediate] = createAppleAuthority().chain as [CertificateTerms, CertificateTerms];
const chain =
  (...terms: CertificateTerms[]) =>
  () => ({
    authority: { ...createAppleAuthority(), chain: terms },
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
    message: (m) =>
      (m.ephemeralSpki = Buffer.from(flip(m.ephemeralSpki.toString('base64')), 'base64')),
  },
  'a key of another curve': {
    why: 'not a key of P-256',
    message: (m) => (m.ephemeralSpki = p384()),
  },
  'a root of somebody else': {
    why: 'do not lead to the root',
    terms: () => ({ authority: createAppleAuthority('Somebody') }),
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
  'the same amount of other money': {
    why: 'currencyCode',
    use: { amount: applePayload.transactionAmount, currency: 'EUR' },
  },
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
async function textOf({ terms, message = () => {}, token: change = () => {} }: AppleCase) {
  const made = await appleTerms(vault, terms?.() as AppleChanges);
  const encrypted = encryptForApple(made);
  message(encrypted);
  const token = signForApple(made, encrypted);
  change(token);
  return JSON.stringify(token);
}

describe('a token of Apple Pay is refused with', () => {
  test.each(Object.entries(apple))('%s', async (name, one) => {
    await refusals(vault, 'apple_pay', name, one, await textOf(one));
  });

  test.each(malformed)('%s', async (name, text, why) => {
    await refusals(vault, 'apple_pay', name, { why }, text);
  });

  test("Google's", async () => {
    const text = JSON.stringify(await googleTokenFor(vault));
    await refusals(vault, 'apple_pay', 'other', { why: '' }, text);
  });
});

test('each of these tokens is accepted without its defect', async () => {
  const use = { amount: applePayload.transactionAmount, currency: 'USD' };
  expect((await handIn(vault, 'apple_pay', await textOf({ why: '' }), use)).status).toBe(200);
});

test('an Apple Pay transaction is used once, even if it is signed again', async () => {
  const transactionId = Buffer.from(randomUUID());
  const [one, two] = [
    createAppleToken(await appleTerms(vault, { transactionId })),
    createAppleToken(await appleTerms(vault, { transactionId })),
  ];
  expect((await handIn(vault, 'apple_pay', one)).status).toBe(200);
  expect(errorOf(await handIn(vault, 'apple_pay', two)).error).toBe('wallet_token_replayed');
});
