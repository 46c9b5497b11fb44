import { createHmac, type KeyObject } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import type { Db } from '../store/db.ts';
import { createKeyCache, toSecretKey } from './key-cache.ts';
import type { RootKeys, WrappedKey } from './root-keys.ts';

export interface Fingerprints {
  /** Opens the key of a merchant, as it is stored now. */
  open(merchantId: string): Promise<Fingerprint>;
  /** The key of a merchant, for another vault; undefined if the merchant has none. */
  release(merchantId: string): Promise<Buffer | undefined>;
  /** Stores the key of another vault. Returns false if a different key has marked numbers of the merchant here. */
  accept(merchantId: string, key: Buffer): Promise<boolean>;
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
    async release(merchantId) {
      const wrappedKey = await findWrappedKey(deps.db, merchantId);
      return wrappedKey && deps.rootKeys.unwrap(wrappedKey, fingerprintContext(merchantId));
    },
    async accept(merchantId, key) {
      const context = fingerprintContext(merchantId);
      const { root_version, wrapped } = await deps.rootKeys.wrap(key, context);
      await deps.db.query(
        `insert into vault.fingerprint_keys as kept (merchant_id, root_version, wrapped, created_at)
         values ($1, $2, $3, $4) on conflict (merchant_id) do update
           set root_version = excluded.root_version, wrapped = excluded.wrapped
           where not exists (select from vault.fingerprint_ids f where f.merchant_id = kept.merchant_id)`,
        [merchantId, root_version, wrapped, new Date(deps.clock())],
      );
      const stored = await findWrappedKey(deps.db, merchantId);
      return stored !== undefined && (await deps.rootKeys.unwrap(stored, context)).equals(key);
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
