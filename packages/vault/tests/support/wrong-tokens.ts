import { generateKeyPairSync } from 'node:crypto';
import type { WalletKind } from '@florin/contract/protocol/vault.ts';
import { expect } from 'vitest';
import { errorOf, type TestVault } from './vault.ts';
import { NUMBER, type SubmitOptions, submitToken } from './wallets.ts';

export const MINUTE = 60_000;

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };
type Change<T> = (target: Writable<T>) => unknown;

/** A change that removes a member. */
export const removeMember =
  (name: string): Change<object> =>
  (token) =>
    Reflect.deleteProperty(token, name);

export const flipByte = (base64: string, offset = -1): string => {
  const bytes = Buffer.from(base64, 'base64');
  const index = offset < 0 ? bytes.length + offset : offset;
  bytes[index]! ^= 1;
  return bytes.toString('base64');
};
export const cutBytes = (base64: string, bytes: number): string =>
  Buffer.from(base64, 'base64').subarray(0, -bytes).toString('base64');
export const createOtherKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).publicKey;

/** The expected refusal of a token. */
interface Refusal {
  readonly why: string | RegExp;
  readonly code?: string;
  readonly options?: SubmitOptions;
}

export interface RefusalCase<Token, Message> extends Refusal {
  /** Changes the content before the token is created. */
  readonly terms?: () => object;
  /** Changes the message before it is signed. */
  readonly message?: Change<Message>;
  /** Changes the finished token. */
  readonly token?: Change<Token>;
}

export async function expectRefusal(
  vault: TestVault,
  wallet: WalletKind,
  name: string,
  refusal: Refusal,
  text: string,
): Promise<void> {
  const answer = await submitToken(vault, wallet, text, refusal.options);
  const { error, detail } = errorOf(answer);
  expect([name, answer.status, error, detail]).toEqual([
    name,
    422,
    refusal.code ?? 'wallet_token_unreadable',
    expect.stringMatching(refusal.why),
  ]);
  expect(answer.text).not.toContain(NUMBER);
}

export const EXPIRED_CODE = { code: 'wallet_token_expired' };

/** Malformed tokens, which no wallet sends. */
export const malformedTokens: readonly (readonly [name: string, text: string, why: string])[] = [
  ['what is no JSON', `4242 ${NUMBER}`, ''],
  ['a list', '[]', ''],
  ['an empty object', '{}', ''],
  ['something nested', `{"header":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, ''],
  ['more than 16 kB', `"${'€'.repeat(6_000)}"`, 'too long'],
];
