import type { KeyObject } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import type { Scope } from '../kernel/scope.ts';
import type { Db } from '../store/db.ts';
import type { AesKey } from './aead.ts';
import { createKeyCache, toSecretKey } from './key-cache.ts';
import type { RootKeys, WrappedKey } from './root-keys.ts';

/** Cryptoperiod of a merchant's key. */
export const KEK_LIFE_MS = 90 * 24 * 60 * 60 * 1000;

/** An unwrapped key encryption key of one merchant and mode. */
export interface Kek {
  readonly version: number;
  readonly key: AesKey;
}

export interface WrappedKek extends WrappedKey {
  readonly version: number;
}

export interface Keks {
  /** The merchant's key for new records. The first record creates it. */
  current(scope: Scope): Promise<Kek>;
  /** Decrypts a key. Throws if `wrapped` belongs to another merchant, mode or version, or was destroyed. */
  unwrap(scope: Scope, kek: WrappedKek): Promise<Kek>;
  /**
   * Replaces `version` by the next one for new records. Older records are rewrapped later. False if a concurrent
   * call has replaced it.
   */
  advance(scope: Scope, version: number): Promise<boolean>;
  /** Deletes all unwrapped keys from memory. */
  clear(): void;
}

interface KekDeps {
  readonly db: Db;
  readonly rootKeys: RootKeys;
  readonly clock: Clock;
}

export function createKeks(deps: KekDeps): Keks {
  const cache = createKeyCache<KeyObject>();

  async function unwrap(scope: Scope, kek: WrappedKek): Promise<Kek> {
    const context = kekContext(scope, kek.version);
    // The id contains the wrapped bytes, so that the cache never serves a row that replaced another.
    const id = `${context}:${kek.root_version}:${kek.wrapped.toString('base64')}`;
    return {
      version: kek.version,
      key: await cache.get(id, async () => toSecretKey(await deps.rootKeys.unwrap(kek, context))),
    };
  }

  return {
    unwrap,
    current: async (scope) =>
      unwrap(scope, (await findNewestKek(deps.db, scope)) ?? (await createFirstKek(deps, scope))),
    advance: async (scope, version) =>
      insertVersion(deps, scope, await wrapVersion(deps, scope, version + 1), ''),
    clear: () => cache.clear(),
  };
}

/** Context that binds a merchant's wrapped key. */
export const kekContext = ({ merchant_id, mode }: Scope, version: number): string =>
  `kek:${merchant_id}:${mode}:${version}`;

async function findNewestKek(
  db: Db,
  { merchant_id, mode }: Scope,
): Promise<WrappedKek | undefined> {
  const [row] = await db.query<WrappedKek>(
    `select version, root_version, wrapped from vault.keks
     where merchant_id = $1 and mode = $2 and destroyed_at is null order by version desc limit 1`,
    [merchant_id, mode],
    'newest-kek',
  );
  return row;
}

/** Creates a key for a merchant without one. If two callers do so concurrently, the first insert wins. */
async function createFirstKek(deps: KekDeps, scope: Scope): Promise<WrappedKek> {
  const [destroyedKek] = await deps.db.query<{ version: number | null }>(
    'select max(version) as version from vault.keks where merchant_id = $1 and mode = $2',
    [scope.merchant_id, scope.mode],
  );
  const kek = await wrapVersion(deps, scope, (destroyedKek?.version ?? 0) + 1);
  await insertVersion(deps, scope, kek, null);
  return (await findNewestKek(deps.db, scope)) ?? kek;
}

async function wrapVersion(
  { rootKeys }: KekDeps,
  scope: Scope,
  version: number,
): Promise<WrappedKek> {
  const { root_version, wrapped } = await rootKeys.generate(kekContext(scope, version));
  return { version, root_version, wrapped };
}

/** False if the version exists. With a rewrap cursor, older records are rewrapped from there on. */
async function insertVersion(
  { db, clock }: KekDeps,
  { merchant_id, mode }: Scope,
  { version, root_version, wrapped }: WrappedKek,
  rewrapCursor: string | null,
): Promise<boolean> {
  const now = clock();
  const insertedRows = await db.query(
    `insert into vault.keks (merchant_id, mode, version, root_version, wrapped, created_at, rotate_at, rewrap_cursor)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning version`,
    [
      merchant_id,
      mode,
      version,
      root_version,
      wrapped,
      new Date(now),
      new Date(now + KEK_LIFE_MS),
      rewrapCursor,
    ],
  );
  return insertedRows.length > 0;
}
