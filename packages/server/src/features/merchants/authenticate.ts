import { type ProblemError, problem } from '@florin/contract/errors.ts';
import type { Caller, Callers } from '../../platform/caller.ts';
import { type Clock, instantText } from '../../platform/time/clock.ts';
import { CELL_HEADER } from '../cells/cell-header.ts';
import { hashKey, looksLikeKey } from './api-key.ts';
import type { KeyUses } from './key-uses.ts';

export interface Authenticator {
  /** Caller of a key. Undefined if the key is malformed, unknown, expired or revoked. */
  byKey(key: string): Promise<Caller | undefined>;
  /** Caller of a key, found by the hash of a well-formed key. */
  byHash(keyHash: string): Promise<Caller | undefined>;
  /** When and how a key ended. Undefined if the key is valid or does not exist. */
  endOf(keyHash: string): Promise<KeyEnd | undefined>;
}

/** End of a key: its expiry, and whether a person revoked it. */
export type KeyEnd = Pick<Caller, 'expiry' | 'revoked'>;

/** Authenticates keys and records the use of each valid key. */
export function createAuthenticator(
  callers: Callers,
  clock: Clock,
  keyUses: Pick<KeyUses, 'record'>,
): Authenticator {
  const hasExpired = ({ expiry }: Caller): boolean =>
    expiry !== null && expiry <= instantText(clock.now());
  async function byHash(keyHash: string): Promise<Caller | undefined> {
    const caller = await callers.find(keyHash);
    if (!caller || hasExpired(caller)) return undefined;
    keyUses.record(caller);
    return caller;
  }
  return {
    byHash,
    async endOf(keyHash) {
      const caller = await callers.find(keyHash);
      return caller && hasExpired(caller) ? caller : undefined;
    },
    byKey: async (key) => (looksLikeKey(key) ? byHash(hashKey(key)) : undefined),
  };
}

/** Hash of the key in an `Authorization` header. Undefined if the header has no well-formed key. */
export function keyHashOf(authorization: string | undefined): string | undefined {
  const key = bearerOf(authorization);
  return key && looksLikeKey(key) ? hashKey(key) : undefined;
}

const bearerOf = (authorization = ''): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(authorization)?.[1];

/** The 401 for a missing or malformed header, or an unknown, expired or revoked key. */
export const unauthorizedProblem = (
  authorization: string | undefined,
  keyEnd?: KeyEnd,
  cell?: string,
): ProblemError =>
  problem(
    'unauthorized',
    cell === undefined ? unauthorizedDetail(authorization, keyEnd) : otherCellDetail(cell),
    { header: 'Authorization' },
    {
      headers: {
        'www-authenticate': 'Bearer',
        ...(cell !== undefined && { [CELL_HEADER]: cell }),
      },
    },
  );

const otherCellDetail = (cell: string): string =>
  `The key belongs to the cell ${cell}. Send the request to the address of that cell.`;

function unauthorizedDetail(authorization: string | undefined, keyEnd: KeyEnd | undefined): string {
  if (!authorization) return 'Send the header Authorization: Bearer <secret key>.';
  if (!bearerOf(authorization)) {
    return 'The Authorization header must read Bearer, a space and the key.';
  }
  if (!keyEnd)
    return 'The key is unknown. Check that it is complete, and that it belongs to this server.';
  return `The key ${keyEnd.revoked ? 'was revoked' : 'expired'} at ${keyEnd.expiry}. Use another key.`;
}
