import { createHmac, type KeyObject } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import type { Db } from '../store/db.ts';
import { createKeyCache, toSecretKey } from './key-cache.ts';
import type { RootKeys, WrappedKey } from './root-keys.ts';

export interface Fingerprints {
  /** Mark of a card number, which never leaves the vault: equal for equal numbers of one merchant. */
  of(merchantId: string, number: string): Promise<string>;
  /** Deletes all unwrapped keys from memory. */
  clear(): void;
}

interface FingerprintDeps {
  readonly db: Db;
  readonly rootKeys: RootKeys;
  readonly clock: Clock;
}

/** HMAC-SHA-256 of the number with a key per merchant. The merchant's first card creates the key. */
export function createFingerprints(deps: FingerprintDeps): Fingerprints {
  const cache = createKeyCache<KeyObject>();
  return {
    async of(merchantId, number) {
      const key = await cache.get(merchantId, async () =>
        toSecretKey(await loadKey(deps, merchantId)),
      );
      return createHmac('sha256', key).update(number).digest('base64url');
    },
    clear: () => cache.clear(),
  };
}

/** Context that binds a merchant's wrapped fingerprint key. */
export const fingerprintContext = (merchantId: string): string => `fingerprint:${merchantId}`;

async function loadKey(
  { db, rootKeys, clock }: FingerprintDeps,
  merchantId: string,
): Promise<Buffer> {
  const context = fingerprintContext(merchantId);
  const storedKey = await findWrappedKey(db, merchantId);
  if (storedKey) return rootKeys.unwrap(storedKey, context);
  const newKey = await rootKeys.generate(context);
  await db.query(
    `insert into vault.fingerprint_keys (merchant_id, root_version, wrapped, created_at)
     values ($1, $2, $3, $4) on conflict do nothing`,
    [merchantId, newKey.root_version, newKey.wrapped, new Date(clock())],
  );
  return rootKeys.unwrap((await findWrappedKey(db, merchantId)) ?? newKey, context);
}

async function findWrappedKey(db: Db, merchantId: string): Promise<WrappedKey | undefined> {
  const [row] = await db.query<WrappedKey>(
    'select root_version, wrapped from vault.fingerprint_keys where merchant_id = $1',
    [merchantId],
  );
  return row;
}
