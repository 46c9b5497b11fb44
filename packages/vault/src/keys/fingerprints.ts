import { createHmac, type KeyObject } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import type { Db } from '../store/db.ts';
import { createKeyCache, toSecretKey } from './key-cache.ts';
import type { RootKeys, WrappedKey } from './root-keys.ts';

export interface Fingerprints {
  /** Opens the key of a merchant, as it is stored now. */
  open(merchantId: string): Promise<Fingerprint>;
  /** Deletes all unwrapped keys from memory. */
  clear(): void;
}

/** Mark of a text such as a card number, which never leaves the vault: equal for equal texts of one merchant. */
export type Fingerprint = (text: string) => string;

interface FingerprintDeps {
  readonly db: Db;
  readonly rootKeys: RootKeys;
  readonly clock: Clock;
}

/** HMAC-SHA-256 with a key per merchant. The merchant's first card creates the key. */
export function createFingerprints(deps: FingerprintDeps): Fingerprints {
  const cache = createKeyCache<KeyObject>();
  return {
    async open(merchantId) {
      const wrappedKey = await loadWrappedKey(deps, merchantId);
      const context = fingerprintContext(merchantId);
      // The id contains the wrapped bytes, because another vault may have destroyed the merchant's key.
      const id = `${context}:${wrappedKey.wrapped.toString('base64')}`;
      const key = await cache.get(id, async () =>
        toSecretKey(await deps.rootKeys.unwrap(wrappedKey, context)),
      );
      return (text) => createHmac('sha256', key).update(text).digest('base64url');
    },
    clear: () => cache.clear(),
  };
}

/** Context that binds a merchant's wrapped fingerprint key. */
export const fingerprintContext = (merchantId: string): string => `fingerprint:${merchantId}`;

async function loadWrappedKey(
  { db, rootKeys, clock }: FingerprintDeps,
  merchantId: string,
): Promise<WrappedKey> {
  const storedKey = await findWrappedKey(db, merchantId);
  if (storedKey) return storedKey;
  const newKey = await rootKeys.generate(fingerprintContext(merchantId));
  await db.query(
    `insert into vault.fingerprint_keys (merchant_id, root_version, wrapped, created_at)
     values ($1, $2, $3, $4) on conflict do nothing`,
    [merchantId, newKey.root_version, newKey.wrapped, new Date(clock())],
  );
  return (await findWrappedKey(db, merchantId)) ?? newKey;
}

async function findWrappedKey(db: Db, merchantId: string): Promise<WrappedKey | undefined> {
  const [row] = await db.query<WrappedKey>(
    'select root_version, wrapped from vault.fingerprint_keys where merchant_id = $1',
    [merchantId],
    'fingerprint-key',
  );
  return row;
}
