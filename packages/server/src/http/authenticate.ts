import { type ProblemError, problem } from '@florin/contract/errors.ts';
import type { KeyUses } from '../features/request-log/key-uses.ts';
import { hashKey, looksLikeKey } from '../kernel/api-key.ts';
import { type Clock, instantText } from '../kernel/clock.ts';
import type { Caller, Callers } from '../store/callers.ts';

export interface Authenticator {
  /** The caller of a bare key; undefined where it is malformed, unknown or expired. */
  byKey(key: string): Promise<Caller | undefined>;
  /** The same of the hash of a well-formed key. */
  byHash(keyHash: string): Promise<Caller | undefined>;
}

/** Good keys are found here alone, so that here it is noted that they are used. */
export function createAuthenticator(
  callers: Callers,
  clock: Clock,
  uses: Pick<KeyUses, 'note'>,
): Authenticator {
  async function byHash(keyHash: string): Promise<Caller | undefined> {
    const caller = await callers.find(keyHash);
    const expired = caller?.expiry != null && caller.expiry <= instantText(clock.now());
    if (!caller || expired) return undefined;
    uses.note(caller);
    return caller;
  }
  return {
    byHash,
    byKey: async (key) => (looksLikeKey(key) ? byHash(hashKey(key)) : undefined),
  };
}

/** The hash of the key in an `Authorization` header; undefined where there is no well-formed one. */
export function keyHashOf(authorization: string | undefined): string | undefined {
  const key = bearerOf(authorization);
  return key && looksLikeKey(key) ? hashKey(key) : undefined;
}

const bearerOf = (authorization = ''): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(authorization)?.[1];

/** 401 for a header that is missing or malformed, or whose key is unknown or expired. */
export const unauthorized = (authorization: string | undefined): ProblemError =>
  problem(
    'unauthorized',
    unauthorizedDetail(authorization),
    { header: 'Authorization' },
    { headers: { 'www-authenticate': 'Bearer' } },
  );

function unauthorizedDetail(authorization: string | undefined): string {
  if (!authorization) return 'Send the header Authorization: Bearer <secret key>.';
  if (!bearerOf(authorization)) {
    return 'The Authorization header must read Bearer, a space and the key.';
  }
  return 'The key is not known, or has expired.';
}
