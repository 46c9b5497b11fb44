import { generateKeyPairSync } from 'node:crypto';
import type { WalletKind } from '@florin/contract/protocol/vault.ts';
import { expect } from 'vitest';
import { errorOf, type TestVault } from './vault.ts';
import { handIn, NUMBER, type Use } from './wallets.ts';

export const MINUTE = 60_000;

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };
type Change<T> = (changed: Writable<T>) => unknown;

/** A change that removes a member. */
export const lose =
  (name: string): Change<object> =>
  (token) =>
    Reflect.deleteProperty(token, name);

export const flip = (base64: string, at = -1): string => {
  const bytes = Buffer.from(base64, 'base64');
  const index = at < 0 ? bytes.length + at : at;
  bytes[index]! ^= 1;
  return bytes.toString('base64');
};
export const cut = (base64: string, bytes: number): string =>
  Buffer.from(base64, 'base64').subarray(0, -bytes).toString('base64');
export const other = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).publicKey;

/** A change of a token, and the expected refusal. */
interface Refusal {
  readonly why: string | RegExp;
  readonly code?: string;
  readonly use?: Use;
}

export interface Case<Token, Message> extends Refusal {
  /** Changes the content before the token is made. */
  readonly terms?: () => object;
  /** Changes the message before it is signed. */
  readonly message?: Change<Message>;
  /** Changes the finished token. */
  readonly token?: Change<Token>;
}

export async function refusals(
  vault: TestVault,
  wallet: WalletKind,
  name: string,
  one: Refusal,
  text: string,
): Promise<void> {
  const answer = await handIn(vault, wallet, text, one.use);
  const { error, detail } = errorOf(answer);
  expect([name, answer.status, error, detail]).toEqual([
    name,
    422,
    one.code ?? 'wallet_token_unreadable',
    expect.stringMatching(one.why),
  ]);
  expect(answer.text).not.toContain(NUMBER);
}

export const expiredCode = { code: 'wallet_token_expired' };

/** Malformed tokens, which no wallet sends. */
export const malformed: readonly (readonly [name: string, text: string, why: string])[] = [
  ['what is no JSON', `4242 ${NUMBER}`, ''],
  ['a list', '[]', ''],
  ['an empty object', '{}', ''],
  ['something nested', `{"header":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, ''],
  ['more than 16 kB', `"${'€'.repeat(6_000)}"`, 'longer'],
];
