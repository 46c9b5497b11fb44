import { randomUUID } from 'node:crypto';
import { createGoogleAuthority } from '@florin/simulator/wallets/authority.ts';
import { encryptForGoogle, signForGoogle } from '@florin/simulator/wallets/google-token.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorOf, startTestVault, type TestVault } from './support/vault.ts';
import {
  createAppleTokenFor,
  createGooglePayload,
  createGoogleTerms,
  type GoogleChanges,
  googleDetails,
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

const withDetails = (changes: object) => () => ({
  payload: createGooglePayload(vault, { ...googleDetails, ...changes }),
});
const withContents = (changes: object) => () => ({
  payload: { ...createGooglePayload(vault), ...changes },
});
const timeAt = (ms: number): Date => new Date(vault.clock.now + ms);

type GoogleCase = RefusalCase<
  ReturnType<typeof signForGoogle>,
  ReturnType<typeof encryptForGoogle>
>;

const googleCases: Readonly<Record<string, GoogleCase>> = {
  'another protocol': { why: 'ECv2', token: (t) => (t.protocolVersion = 'ECv1') },
  'no signature': { why: 'signature is missing', token: removeMember('signature') },
  'a signature that was changed': {
    why: 'signature is invalid for',
    token: (t) => (t.signature = flipByte(t.signature)),
  },
  'a signature that is no base64': {
    why: 'not base64',
    token: (t) => (t.signature = `${t.signature} `),
  },
  'another message under the signature': {
    why: 'signature is invalid for',
    token: (t) => (t.signedMessage = t.signedMessage.replace('{', '{ ')),
  },
  'no intermediate key': {
    why: 'intermediateSigningKey',
    token: removeMember('intermediateSigningKey'),
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
    terms: () => ({ authority: createGoogleAuthority('Somebody') }),
  },
  'a message signed by the root itself': {
    why: 'signature is invalid for',
    terms: () => {
      const { root, intermediate } = createGoogleAuthority();
      return {
        authority: { root, intermediate: { ...intermediate, privateKey: root.privateKey } },
      };
    },
  },
  'an intermediate key that has expired': {
    why: 'the intermediate key has expired',
    ...EXPIRED_CODE,
    terms: () => ({ keyExpiration: timeAt(0) }),
  },
  'a message that has expired': {
    why: 'messageExpiration',
    ...EXPIRED_CODE,
    terms: () => withContents({ messageExpiration: String(vault.clock.now) })(),
  },
  'a message that never expires': {
    why: 'messageExpiration is too far away',
    terms: () =>
      withContents({ messageExpiration: String(vault.clock.now + 30 * 24 * 60 * MINUTE + 1) })(),
  },
  'an expiry that is no time': {
    why: 'not a time',
    terms: withContents({ messageExpiration: 'never' }),
  },
  'another recipient': {
    why: 'for this recipient',
    terms: () => ({ recipient_id: 'gateway:else' }),
  },
  "another recipient's key": { why: 'another key', terms: () => ({ recipient: createOtherKey() }) },
  "another merchant's id": {
    why: 'gatewayMerchantId',
    terms: withContents({ gatewayMerchantId: 'x' }),
  },
  'no merchant': {
    why: 'gatewayMerchantId',
    terms: withContents({ gatewayMerchantId: undefined }),
  },
  'another merchant who hands it in': {
    why: 'gatewayMerchantId',
    options: { merchant_id: 'merchant-b' },
  },
  'a tag that was cut': { why: 'tag is invalid', message: (m) => (m.tag = cutBytes(m.tag, 16)) },
  'a tag that was changed': {
    why: 'tag is invalid',
    message: (m) => (m.tag = flipByte(m.tag, 0)),
  },
  'a ciphertext that was changed': {
    why: 'tag is invalid',
    message: (m) => (m.encryptedMessage = flipByte(m.encryptedMessage, 0)),
  },
  'a point that is not on the curve': {
    why: 'not a key of P-256',
    message: (m) => (m.ephemeralPublicKey = flipByte(m.ephemeralPublicKey)),
  },
  'a point at infinity': {
    why: 'not a key of P-256',
    message: (m) => (m.ephemeralPublicKey = Buffer.alloc(65, 0).toString('base64')),
  },
  'a point of another length': {
    why: 'not a key of P-256',
    message: (m) => (m.ephemeralPublicKey = cutBytes(m.ephemeralPublicKey, 32)),
  },
  'no card': { why: 'paymentMethod', terms: withContents({ paymentMethod: 'TOKENIZED_CARD' }) },
  'no details': { why: 'paymentMethod', terms: withContents({ paymentMethodDetails: null }) },
  'no id': { why: 'messageId', terms: withContents({ messageId: undefined }) },
  'an unknown way to authenticate': {
    why: 'authMethod',
    terms: withDetails({ authMethod: 'TRUST_ME' }),
  },
  'no cryptogram': { why: 'cryptogram', terms: withDetails({ cryptogram: undefined }) },
  'an indicator of letters': { why: 'eciIndicator', terms: withDetails({ eciIndicator: 'ab' }) },
  'a number with a wrong check digit': {
    why: 'number is not valid',
    code: 'invalid_card',
    terms: withDetails({ pan: '4242424242424241' }),
  },
  'a card that has expired': {
    why: 'expiry date',
    code: 'invalid_card',
    terms: withDetails({ expirationYear: 2025 }),
  },
};
async function createTokenText({
  terms,
  message = () => {},
  token: change = () => {},
}: GoogleCase) {
  const tokenTerms = await createGoogleTerms(vault, terms?.() as GoogleChanges);
  const encryptedMessage = encryptForGoogle(tokenTerms);
  message(encryptedMessage);
  const token = signForGoogle(tokenTerms, encryptedMessage);
  change(token);
  return JSON.stringify(token);
}

describe('a token of Google Pay is refused with', () => {
  test.each(Object.entries(googleCases))('%s', async (name, refusalCase) => {
    await expectRefusal(vault, 'google_pay', name, refusalCase, await createTokenText(refusalCase));
  });

  test.each(malformedTokens)('%s', async (name, text, why) => {
    await expectRefusal(vault, 'google_pay', name, { why }, text);
  });

  test("Apple's", async () => {
    const text = JSON.stringify(await createAppleTokenFor(vault));
    await expectRefusal(vault, 'google_pay', 'other', { why: '' }, text);
  });
});

test('each of these tokens is accepted without its defect', async () => {
  expect((await submitToken(vault, 'google_pay', await createTokenText({ why: '' }))).status).toBe(
    200,
  );
});

test('a Google Pay message returns one card, whatever is sent under its id', async () => {
  const sid = randomUUID();
  const payload = createGooglePayload(vault);
  const changedPayload = {
    ...payload,
    paymentMethodDetails: { ...googleDetails, expirationMonth: 11 },
  };
  const firstText = await createTokenText({ why: '', terms: () => ({ payload }) });
  const secondText = await createTokenText({ why: '', terms: () => ({ payload: changedPayload }) });
  expect((await submitToken(vault, 'google_pay', firstText, { sid })).status).toBe(200);
  const answer = await submitToken(vault, 'google_pay', secondText, { sid });
  expect(errorOf(answer).error).toBe('wallet_token_replayed');
});
