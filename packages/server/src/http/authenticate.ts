import { problem } from '@florin/contract/errors.ts';
import { hashKey, looksLikeKey } from '../kernel/api-key.ts';
import { type Clock, instantText } from '../kernel/clock.ts';
import { type Caller, findCaller } from '../store/callers.ts';
import type { Db } from '../store/db.ts';

/** A key that was revoked or changed works this much longer. */
const CACHE_LIFE_MS = 5_000;
const CACHE_SIZE_MAX = 10_000;

export interface Authenticator {
  /** Throws 401 for a header that is missing, malformed, unknown or expired. */
  byHeader(authorization: string | undefined): Promise<Caller>;
  /** The caller of a bare key, or undefined. */
  byKey(key: string): Promise<Caller | undefined>;
}

export function createAuthenticator(db: Db, clock: Clock): Authenticator {
  const cache = new Map<string, { caller: Caller | undefined; until: number }>();

  async function byKey(key: string): Promise<Caller | undefined> {
    if (!looksLikeKey(key)) return undefined;
    const hash = hashKey(key);
    const now = performance.now();
    let entry = cache.get(hash);
    if (!entry || entry.until < now) {
      if (cache.size >= CACHE_SIZE_MAX) cache.clear();
      entry = { caller: await findCaller(db, hash), until: now + CACHE_LIFE_MS };
      cache.set(hash, entry);
    }
    const { caller } = entry;
    const expired = caller?.expiry != null && caller.expiry <= instantText(clock.now());
    return expired ? undefined : caller;
  }

  return {
    byKey,
    async byHeader(authorization) {
      const key = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
      const caller = key && (await byKey(key));
      if (caller) return caller;
      throw problem(
        'unauthorized',
        unauthorizedDetail(authorization, key),
        { header: 'Authorization' },
        {
          headers: { 'www-authenticate': 'Bearer' },
        },
      );
    },
  };
}

function unauthorizedDetail(authorization: string | undefined, key: string | undefined): string {
  if (!authorization) return 'Send the header Authorization: Bearer <secret key>.';
  if (!key) return 'The Authorization header must read Bearer, a space and the key.';
  return 'The key is not known, or has expired.';
}
