import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import type { Db } from '../store/db.ts';
import { KEY_BYTES } from './aead.ts';
import { createKeyCache } from './key-cache.ts';
import type { Kms } from './kms.ts';

export interface Fingerprints {
  /** Equal for equal numbers of one merchant, and unrelated between merchants. */
  of(merchantId: string, number: string): Promise<string>;
}

/** HMAC-SHA-256 of the number under a key of the merchant, made at its first card. */
export function createFingerprints(deps: { db: Db; kms: Kms; clock: Clock }): Fingerprints {
  const cache = createKeyCache<Buffer>();
  return {
    async of(merchantId, number) {
      const key = await cache.get(merchantId, () => loadKey(deps, merchantId));
      return createHmac('sha256', key).update(number).digest('base64url');
    },
  };
}

const contextOf = (merchantId: string): string => `fingerprint:${merchantId}`;

async function loadKey(
  { db, kms, clock }: { db: Db; kms: Kms; clock: Clock },
  merchantId: string,
): Promise<Buffer> {
  const known = await wrappedKey(db, merchantId);
  if (known) return kms.unwrap(known, contextOf(merchantId));
  const mine = await kms.wrap(randomBytes(KEY_BYTES), contextOf(merchantId));
  await db.query(
    `insert into vault.fingerprint_keys (merchant_id, wrapped, created_at)
     values ($1, $2, $3) on conflict do nothing`,
    [merchantId, mine, new Date(clock())],
  );
  return kms.unwrap((await wrappedKey(db, merchantId)) ?? mine, contextOf(merchantId));
}

async function wrappedKey(db: Db, merchantId: string): Promise<Buffer | undefined> {
  const [row] = await db.query<{ wrapped: Buffer }>(
    'select wrapped from vault.fingerprint_keys where merchant_id = $1',
    [merchantId],
  );
  return row?.wrapped;
}
