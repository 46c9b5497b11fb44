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
  createAppleTerms,
  createGoogleTokenFor,
  submitToken,
} from './support/wallets.ts';
import {
  createOtherKey,
  cutBytes,
  EXPIRED_CODE,
  expectRefusal,
  flipByte,
  MINUTE,
  malformedTokens,
  type RefusalCase,
  removeMember,
} from './support/wrong-tokens.ts';

let vault: TestVault;
beforeAll(async () => {
  vault = await startTestVault();
});
afterAll(() => vault?.[Symbol.asyncDispose]());

const exportP384Key = () =>
  generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).publicKey.export({
    format: 'der',
    type: 'spki',
  });
const omit = <T extends object>(object: T, name: keyof T): Omit<T, keyof T> => {
  const { [name]: _, ...otherMembers } = object;
  return otherMembers;
};
const timeAt = (ms: number): Date => new Date(vault.clock.now + ms);
const [leaf, intermediate] = createAppleAuthority().chain as [CertificateTerms, CertificateTerms];
const withChain =
  (...terms: CertificateTerms[]) =>
  () => ({
    authority: { ...createAppleAuthority(), chain: terms },
  });
const impostorKeys = keysOfPhrase('an impostor');
const withPayload = (changes: object) => () => ({ payload: { ...applePayload, ...changes } });

type AppleCase = RefusalCase<ReturnType<typeof signForApple>, ReturnType<typeof encryptForApple>>;

const appleCases: Readonly<Record<string, AppleCase>> = {
  'RSA, by its name': { why: 'RSA_v1 is not supported', token: (t) => (t.version = 'RSA_v1') },
  'another version': { why: 'not EC_v1', token: (t) => (t.version = 'EC_v2') },
  'no header': { why: 'header', token: removeMember('header') },
  'no signature': { why: 'signature is missing', token: removeMember('signature') },
  'a signature that is no CMS': { why: 'not CMS', token: (t) => (t.signature = 'AAAA') },
  'a signature that was cut': {
    why: 'not CMS',
    token: (t) => (t.signature = cutBytes(t.signature, 9)),
  },
  'a signature with something behind it': {
    why: 'not CMS',
    token: (t) =>
      (t.signature = Buffer.concat([Buffer.from(t.signature, 'base64'), Buffer.alloc(2)]).toString(
        'base64',
      )),
  },
  'a signature that was changed': {
    why: 'signature is invalid',
    token: (t) => (t.signature = flipByte(t.signature)),
  },
  'other data under the signature': {
    why: 'other data',
    token: (t) => (t.data = flipByte(t.data, 0)),
  },
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
    token: (t) => (t.header.ephemeralPublicKey = flipByte(t.header.ephemeralPublicKey)),
  },
  'a transaction that is no hexadecimal': {
    why: 'not hexadecimal',
    token: (t) => (t.header.transactionId = 'zz'),
  },
  'an unknown key': { why: 'publicKeyHash', terms: () => ({ recipient: createOtherKey() }) },
  'the hash of an unknown key': {
    why: 'publicKeyHash',
    token: (t) => (t.header.publicKeyHash = flipByte(t.header.publicKeyHash)),
  },
  'another merchant identifier': {
    why: 'another merchant',
    terms: () => ({ merchant_identifier: 'merchant.else' }),
  },
  'a tag that was cut': {
    why: 'tag is invalid',
    message: (m) => (m.data = m.data.subarray(0, -4)),
  },
  'less than a tag': { why: 'tag is invalid', message: (m) => (m.data = m.data.subarray(0, 8)) },
  'a ciphertext that was changed': {
    why: 'tag is invalid',
    message: (m) => (m.data = Buffer.from(flipByte(m.data.toString('base64'), 0), 'base64')),
  },
  'a point that is not on the curve': {
    why: 'not a key of P-256',
    message: (m) =>
      (m.ephemeralSpki = Buffer.from(flipByte(m.ephemeralSpki.toString('base64')), 'base64')),
  },
  'a key of another curve': {
    why: 'not a key of P-256',
    message: (m) => (m.ephemeralSpki = exportP384Key()),
  },
  'a root of somebody else': {
    why: 'do not lead to the root',
    terms: () => ({ authority: createAppleAuthority('Somebody') }),
  },
  'a root of the same name': {
    why: 'do not lead to the root',
    terms: withChain(leaf, {
      ...intermediate,
      issuer: { ...intermediate.issuer, keys: impostorKeys },
    }),
  },
  'a leaf of an impostor with the name of its issuer': {
    why: 'do not lead to the root',
    terms: withChain({ ...leaf, issuer: { ...leaf.issuer, keys: impostorKeys } }, intermediate),
  },
  'a leaf without the marker': {
    why: 'not those of payment tokens',
    terms: withChain(omit(leaf, 'marker') as CertificateTerms, intermediate),
  },
  'an intermediate without the marker': {
    why: 'not those of payment tokens',
    terms: withChain(leaf, omit(intermediate, 'marker') as CertificateTerms),
  },
  'no intermediate': { why: 'not those of payment tokens', terms: withChain(leaf) },
  'two leaves': { why: 'not those of payment tokens', terms: withChain(leaf, leaf, intermediate) },
  'five certificates': {
    why: 'too many certificates',
    terms: withChain(leaf, intermediate, intermediate, intermediate, intermediate),
  },
  'an intermediate that may not issue': {
    why: 'do not lead to the root',
    terms: withChain(leaf, { ...intermediate, ca: false }),
  },
  'a leaf that may issue': {
    why: 'do not lead to the root',
    terms: withChain({ ...leaf, ca: true }, intermediate),
  },
  'an intermediate that has expired': {
    why: 'expired or not valid yet',
    ...EXPIRED_CODE,
    terms: () => withChain(leaf, { ...intermediate, notAfter: timeAt(-MINUTE) })(),
  },
  'a leaf that is not valid yet': {
    why: 'expired or not valid yet',
    ...EXPIRED_CODE,
    terms: () => withChain({ ...leaf, notBefore: timeAt(MINUTE) }, intermediate)(),
  },
  'a signature of six minutes ago': {
    why: 'signed too long ago',
    ...EXPIRED_CODE,
    terms: () => ({ signedAt: timeAt(-6 * MINUTE) }),
  },
  'a signature of the future': {
    why: 'signed too long ago',
    ...EXPIRED_CODE,
    terms: () => ({ signedAt: timeAt(6 * MINUTE) }),
  },
  'another amount': { why: 'transactionAmount', options: { amount: 2500 } },
  'the same amount of other money': {
    why: 'currencyCode',
    options: { amount: applePayload.transactionAmount, currency: 'EUR' },
  },
  'EMV data': { why: 'paymentDataType', terms: withPayload({ paymentDataType: 'EMV' }) },
  'no cryptogram': { why: 'cryptogram', terms: withPayload({ paymentData: {} }) },
  'no expiry': {
    why: 'applicationExpirationDate',
    terms: withPayload({ applicationExpirationDate: 1 }),
  },
  'an expiry that is no date': {
    why: 'expiry date',
    code: 'invalid_card',
    terms: withPayload({ applicationExpirationDate: '3012' }),
  },
  'a number that is none': {
    why: 'number is not valid',
    code: 'invalid_card',
    terms: withPayload({ applicationPrimaryAccountNumber: 42 }),
  },
};
async function createTokenText({ terms, message = () => {}, token: change = () => {} }: AppleCase) {
  const tokenTerms = await createAppleTerms(vault, terms?.() as AppleChanges);
  const encryptedMessage = encryptForApple(tokenTerms);
  message(encryptedMessage);
  const token = signForApple(tokenTerms, encryptedMessage);
  change(token);
  return JSON.stringify(token);
}

describe('a token of Apple Pay is refused with', () => {
  test.each(Object.entries(appleCases))('%s', async (name, refusalCase) => {
    await expectRefusal(vault, 'apple_pay', name, refusalCase, await createTokenText(refusalCase));
  });

  test.each(malformedTokens)('%s', async (name, text, why) => {
    await expectRefusal(vault, 'apple_pay', name, { why }, text);
  });

  test("Google's", async () => {
    const text = JSON.stringify(await createGoogleTokenFor(vault));
    await expectRefusal(vault, 'apple_pay', 'other', { why: '' }, text);
  });
});

test('each of these tokens is accepted without its defect', async () => {
  const options = { amount: applePayload.transactionAmount, currency: 'USD' };
  expect(
    (await submitToken(vault, 'apple_pay', await createTokenText({ why: '' }), options)).status,
  ).toBe(200);
});

test('an Apple Pay transaction is used once, even if it is signed again', async () => {
  const transactionId = Buffer.from(randomUUID());
  const [firstToken, secondToken] = [
    createAppleToken(await createAppleTerms(vault, { transactionId })),
    createAppleToken(await createAppleTerms(vault, { transactionId })),
  ];
  expect((await submitToken(vault, 'apple_pay', firstToken)).status).toBe(200);
  expect(errorOf(await submitToken(vault, 'apple_pay', secondToken)).error).toBe(
    'wallet_token_replayed',
  );
});
