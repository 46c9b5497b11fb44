import type { Clock } from '../kernel/clock.ts';
import type { Database, Db } from '../store/db.ts';
import type { Kms } from './kms/kms.ts';
import {
  ABSENT_MS,
  findVaultsWithout,
  lockVaults,
  SILENT_MS,
  type VaultsWithoutKey,
} from './vaults.ts';

/** Cryptoperiod of a version of the root key. */
const ROOT_LIFE_MS = 365 * 24 * 60 * 60 * 1000;
const CHECK_CONTEXT = 'root-key-check';
const CHECK_PLAIN = Buffer.from('florin vault');

/** A root key version in the database, without the key. */
export interface RootVersion {
  readonly version: number;
  readonly provider: string;
  /** Fingerprint of the key; null if an HSM holds it. */
  readonly fingerprint: string | null;
  /** A known text, wrapped by the key, which proves that a key is the right one. */
  readonly check_value: Buffer;
}

export interface RootVersionDeps {
  readonly db: Database;
  readonly kms: Kms;
  readonly clock: Clock;
}

const COLUMNS = 'version, provider, fingerprint, check_value';

/** The version that wraps keys; undefined before the first start. */
export async function findNewestVersion(db: Db): Promise<RootVersion | undefined> {
  const [row] = await db.query<RootVersion>(
    `select ${COLUMNS} from vault.root_keys order by version desc limit 1`,
    [],
    'newest-root-key',
  );
  return row;
}

/** Whether the version that wraps keys is past its cryptoperiod. */
export async function isRootDue({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}): Promise<boolean> {
  const newestRow = await findNewestVersion(db);
  const [row] = await db.query(
    'select from vault.root_keys where version = $1 and rotate_at <= $2',
    [newestRow?.version ?? 0, new Date(clock())],
  );
  return row !== undefined;
}

/** The next version, staged until every vault holds it. */
export async function findStagedVersion(db: Db): Promise<RootVersion | undefined> {
  const [row] = await db.query<RootVersion>(`select ${COLUMNS} from vault.staged_root_keys`);
  return row;
}

/** Versions that wrap keys, or may in future. Excludes versions whose keys were all rewrapped. */
export const listVersionsInUse = (db: Db): Promise<RootVersion[]> =>
  db.query<RootVersion>(
    `select ${COLUMNS} from vault.root_keys where destroy_at is null order by version`,
  );

/** A version that wraps keys, or did; undefined if it was destroyed. */
export async function findVersion(db: Db, version: number): Promise<RootVersion | undefined> {
  const [row] = await db.query<RootVersion>(
    `select ${COLUMNS} from vault.root_keys where version = $1`,
    [version],
  );
  return row;
}

/** Whether the provider holds the version's key. */
export const isHeld = (kms: Kms, { version, check_value }: RootVersion): Promise<boolean> =>
  kms.unwrap(version, check_value, CHECK_CONTEXT).then(
    () => true,
    () => false,
  );

/** Unwraps the check value. Throws the provider's error if the key is missing or wrong. */
export const proveVersion = (kms: Kms, { version, check_value }: RootVersion): Promise<Buffer> =>
  kms.unwrap(version, check_value, CHECK_CONTEXT);

async function makeVersion(kms: Kms, version: number): Promise<RootVersion> {
  await kms.createVersion(version);
  const { provider } = await kms.describe();
  const fingerprint = (await kms.fingerprintOf(version)) ?? null;
  const check_value = await kms.wrap(version, CHECK_PLAIN, CHECK_CONTEXT);
  return { version, provider, fingerprint, check_value };
}

/** Creates and stores the first version. If two vaults do so concurrently, the first insert wins. */
export async function addFirstVersion({ db, kms, clock }: RootVersionDeps): Promise<RootVersion> {
  const firstVersion = await makeVersion(kms, 1);
  const now = clock();
  await db.query(
    `insert into vault.root_keys (version, provider, fingerprint, check_value, created_at, rotate_at)
     values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
    [
      firstVersion.version,
      firstVersion.provider,
      firstVersion.fingerprint,
      firstVersion.check_value,
      new Date(now),
      new Date(now + ROOT_LIFE_MS),
    ],
  );
  return (await findNewestVersion(db)) ?? firstVersion;
}

/** A staged version, and whether this call created it. */
export interface StagedVersion extends RootVersion {
  readonly is_new: boolean;
}

/**
 * Creates the next version, which wraps no key yet. Concurrent vaults get the same version. A version that no
 * vault holds any more is replaced under the same number, since it never wrapped a key.
 */
export const stageNextVersion = (deps: RootVersionDeps): Promise<StagedVersion> =>
  deps.db.transaction(async (tx) => {
    const stagedRow = await lockStaged(tx, deps);
    return stagedRow ?? insertStaged(tx, deps);
  });

/** Like `stageNextVersion`, but undefined if no version is staged and none is due any more. */
export const stageDueVersion = (deps: RootVersionDeps): Promise<StagedVersion | undefined> =>
  deps.db.transaction(async (tx) => {
    const stagedRow = await lockStaged(tx, deps);
    if (stagedRow) return stagedRow;
    // Another vault may have rotated since the caller's check.
    const isDue = await isRootDue({ db: tx, clock: deps.clock });
    return isDue ? insertStaged(tx, deps) : undefined;
  });

async function lockStaged(tx: Db, { clock }: RootVersionDeps): Promise<StagedVersion | undefined> {
  const now = clock();
  await lockVaults(tx, now);
  await deleteUnavailableVersion(tx, now);
  const stagedRow = await findStagedVersion(tx);
  return stagedRow && { ...stagedRow, is_new: false };
}

async function insertStaged(tx: Db, { kms, clock }: RootVersionDeps): Promise<StagedVersion> {
  const newestRow = await findNewestVersion(tx);
  const nextVersion = await makeVersion(kms, (newestRow?.version ?? 0) + 1);
  await tx.query(
    `insert into vault.staged_root_keys (version, provider, fingerprint, check_value, created_at)
     values ($1, $2, $3, $4, $5)`,
    [
      nextVersion.version,
      nextVersion.provider,
      nextVersion.fingerprint,
      nextVersion.check_value,
      new Date(clock()),
    ],
  );
  return { ...nextVersion, is_new: true };
}

/** SQL: a staged version that only absent vaults announced, or that no vault announced in time. */
const IS_UNAVAILABLE = `created_at <= $1
  and not exists (select from vault.vaults where s.version = any (holds) and seen_at > $2)`;

const deleteUnavailableVersion = (tx: Db, now: number): Promise<object[]> =>
  tx.query(`delete from vault.staged_root_keys s where ${IS_UNAVAILABLE}`, availableSince(now));

/** The staged version that `stageNextVersion` would return; undefined if it would create one. */
export async function findAvailableStaged(db: Db, now: number): Promise<RootVersion | undefined> {
  const [row] = await db.query<RootVersion>(
    `select ${COLUMNS} from vault.staged_root_keys s where not (${IS_UNAVAILABLE})`,
    availableSince(now),
  );
  return row;
}

const availableSince = (now: number): Date[] => [
  new Date(now - SILENT_MS),
  new Date(now - ABSENT_MS),
];

/** Result of an activation. */
export interface Activation extends VaultsWithoutKey {
  /** Whether this call activated the version; false if another vault did. */
  readonly isActivated: boolean;
}

/** Activates the staged version, unless a vault of this database lacks it. */
export const activateStaged = (
  { db, clock }: RootVersionDeps,
  version: number,
): Promise<Activation> =>
  db.transaction(async (tx) => {
    const now = clock();
    await lockVaults(tx, now);
    const vaultsWithoutKey = await findVaultsWithout(tx, version, now);
    if (vaultsWithoutKey.waits_for.length > 0) return { isActivated: false, ...vaultsWithoutKey };
    const addedRows = await tx.query(
      `insert into vault.root_keys (version, provider, fingerprint, check_value, created_at, rotate_at)
       select version, provider, fingerprint, check_value, created_at, $2 from vault.staged_root_keys
       where version = $1 on conflict do nothing returning version`,
      [version, new Date(now + ROOT_LIFE_MS)],
    );
    await tx.query('delete from vault.staged_root_keys where version <= $1', [version]);
    return { isActivated: addedRows.length > 0, ...vaultsWithoutKey };
  });

/** Stores fingerprints of versions that were created before fingerprints existed. */
export async function storeFingerprints(
  { db, kms }: Pick<RootVersionDeps, 'db' | 'kms'>,
  heldVersions: readonly RootVersion[],
): Promise<void> {
  for (const { version } of heldVersions.filter(({ fingerprint }) => !fingerprint)) {
    const fingerprint = await kms.fingerprintOf(version);
    if (!fingerprint) continue;
    await db.query(
      'update vault.root_keys set fingerprint = $2 where version = $1 and fingerprint is null',
      [version, fingerprint],
    );
  }
}
