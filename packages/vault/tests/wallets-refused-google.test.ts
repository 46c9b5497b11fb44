import { randomUUID } from 'node:crypto';
import { createGoogleAuthority } from '@florin/simulator/wallets/authority.ts';
import { encryptForGoogle, signForGoogle } from '@florin/simulator/wallets/google-token.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorOf, startTestVault, type TestVault } from './support/vault.ts';
import {
  appleTokenFor,
  type GoogleChanges,
  googleDetails,
  googlePayload,
  googleTerms,
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
    terms: () => ({ authority: createGoogleAuthority('Somebody') }),
  },
  'a message signed by the root itself': {
    why: 'signature does not',
    terms: () => {
      const { root, intermediate } = createGoogleAuthority();
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
  'a message that never expires': {
    why: 'messageExpiration is too far away',
    terms: () =>
      contents({ messageExpiration: String(vault.clock.now + 30 * 24 * 60 * MINUTE + 1) })(),
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
async function textOf({ terms, message = () => {}, token: change = () => {} }: GoogleCase) {
  const made = await googleTerms(vault, terms?.() as GoogleChanges);
  const encrypted = encryptForGoogle(made);
  message(encrypted);
  const token = signForGoogle(made, encrypted);
  change(token);
  return JSON.stringify(token);
}

describe('a token of Google Pay is refused with', () => {
  test.each(Object.entries(google))('%s', async (name, one) => {
    await refusals(vault, 'google_pay', name, one, await textOf(one));
  });

  test.each(malformed)('%s', async (name, text, why) => {
    await refusals(vault, 'google_pay', name, { why }, text);
  });

  test("Apple's", async () => {
    const text = JSON.stringify(await appleTokenFor(vault));
    await refusals(vault, 'google_pay', 'other', { why: '' }, text);
  });
});

test('each of these tokens is accepted without its defect', async () => {
  expect((await handIn(vault, 'google_pay', await textOf({ why: '' }))).status).toBe(200);
});

test('a Google Pay message returns one card, whatever is sent under its id', async () => {
  const sid = randomUUID();
  const payload = googlePayload(vault);
  const changed = { ...payload, paymentMethodDetails: { ...googleDetails, expirationMonth: 11 } };
  const first = await textOf({ why: '', terms: () => ({ payload }) });
  const second = await textOf({ why: '', terms: () => ({ payload: changed }) });
  expect((await handIn(vault, 'google_pay', first, { sid })).status).toBe(200);
  const answer = await handIn(vault, 'google_pay', second, { sid });
  expect(errorOf(answer).error).toBe('wallet_token_replayed');
});
