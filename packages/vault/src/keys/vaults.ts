import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { VaultConfig } from '../config/config.ts';
import type { Clock } from '../kernel/clock.ts';
import { StartupError } from '../kernel/errors.ts';
import { faultOf } from '../kernel/logger.ts';
import type { Database, Db } from '../store/db.ts';

/** This process as one of the vaults of its database. */
export interface VaultSelf {
  readonly id: string;
  /** Host and directory of its root keys. Processes with the same name share the directory and its keys. */
  readonly name: string;
}

/** A vault of this database, running or not. */
export interface KnownVault {
  readonly name: string;
  readonly seen_at: Date;
}

/** A vault that announced itself within this time may still be running. */
export const SILENT_MS = 30_000;
/** Rotations skip vaults that are silent for longer, because containers get a new host name at each start. */
export const ABSENT_MS = 7 * 24 * 60 * 60_000;
/** Time after which a silent vault is deleted from the list: longer than the lifetime of a root key. */
const PRUNE_MS = 400 * 24 * 60 * 60_000;
/** Far more vaults than share a database in practice. */
const NAMED_VAULTS_MAX = 100;

export const createVaultSelf = ({
  dataDir,
  name,
}: Pick<VaultConfig, 'dataDir' | 'name'>): VaultSelf => ({
  id: randomUUID(),
  name: name ?? `${hostname()}:${resolve(dataDir)}`,
});

/** Advisory lock of vaults of earlier releases, which do not know the row. */
const EARLIER_LOCK = 7_238_104_512;
/** Vaults of earlier releases hold it for milliseconds. */
const EARLIER_LOCK_MS = 3_000;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Locks the list of vaults until the transaction ends, so that no vault registers while another checks that all hold a
 * version. Takes the lock of earlier releases first. Throws `StartupError` if it is held and such a vault runs.
 */
export async function lockVaults(tx: Db, now: number): Promise<void> {
  const hasEarlierLock = await lockEarlierVaults(tx);
  // A row, because every login of the database can take an advisory lock.
  const locked = await tx.query('select from vault.vaults_lock for update');
  if (locked.length === 0) throw new Error('The table vault.vaults_lock has no row.');
  if (hasEarlierLock) return;
  const [earlier] = await tx.query<{ name: string }>(
    'select name from vault.vaults where not locks_row and seen_at > $1 limit 1',
    [new Date(now - SILENT_MS)],
  );
  if (earlier)
    throw new StartupError(
      `A session of the database holds the advisory lock ${EARLIER_LOCK}, and the vault ${earlier.name} of an earlier release runs, which needs it. End the session, or upgrade that vault, then try again.`,
    );
}

/** False if the lock is held for longer than a vault needs: any login of the database can hold it. */
async function lockEarlierVaults(tx: Db): Promise<boolean> {
  await tx.query('savepoint earlier_lock');
  await tx.query(`set local lock_timeout = ${EARLIER_LOCK_MS}`);
  try {
    await tx.query('select pg_advisory_xact_lock($1)', [EARLIER_LOCK]);
    await tx.query('set local lock_timeout to default');
    return true;
  } catch (error) {
    if (faultOf(error) !== LOCK_NOT_AVAILABLE) throw error;
    await tx.query('rollback to savepoint earlier_lock');
    return false;
  }
}

interface SelfDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly self: VaultSelf;
}

/**
 * Registers this vault before it uses any key, and replaces its earlier run. A run that is still alive
 * registers itself again.
 */
export const registerVault = ({ db, clock, self }: SelfDeps): Promise<void> =>
  db.transaction(async (tx) => {
    const now = clock();
    await lockVaults(tx, now);
    await tx.query('delete from vault.vaults where name = $1 or seen_at < $2', [
      self.name,
      new Date(now - PRUNE_MS),
    ]);
    await announceVault(tx, self, { holds: [], now });
  });

/** Stores the root key versions that this vault holds now. */
export async function announceVault(
  db: Db,
  { id, name }: VaultSelf,
  { holds, now }: { readonly holds: readonly number[]; readonly now: number },
): Promise<void> {
  await db.query(
    `insert into vault.vaults (id, name, holds, seen_at, locks_row) values ($1, $2, $3, $4, true)
     on conflict (id) do update set holds = excluded.holds, seen_at = excluded.seen_at`,
    [id, name, holds, new Date(now)],
    'announce-vault',
  );
}

/** Vaults that do not hold a version. */
export interface VaultsWithoutKey {
  /** Vaults that a rotation waits for. */
  readonly waits_for: readonly KnownVault[];
  /**
   * Absent vaults (silent for a week), which the rotation skips. Each needs the key before it can serve cards
   * again.
   */
  readonly skipped: readonly KnownVault[];
}

/**
 * Vaults without a version, each name once. A silent process is ignored if a living process uses the same
 * directory.
 */
export async function findVaultsWithout(
  db: Db,
  version: number,
  now: number,
): Promise<VaultsWithoutKey> {
  const rows = await db.query<KnownVault & { readonly is_gone: boolean }>(
    `select name, max(seen_at) as seen_at, max(seen_at) <= $3 as is_gone from vault.vaults v
     where not ($1 = any (holds)) and not exists (select from vault.vaults living
       where living.name = v.name and living.seen_at > v.seen_at + $2 * interval '1 millisecond')
     group by name order by is_gone, name limit ${NAMED_VAULTS_MAX}`,
    [version, SILENT_MS, new Date(now - ABSENT_MS)],
  );
  return {
    waits_for: rows.filter(({ is_gone }) => !is_gone),
    skipped: rows.filter(({ is_gone }) => is_gone),
  };
}

/** Names of vaults, with the time of their last announcement. */
export const describeVaults = (vaults: readonly KnownVault[]): string[] =>
  vaults.map(({ name, seen_at }) => `${name} (last seen ${seen_at.toISOString()})`);

/** Names of vaults that hold a version. */
export async function findHolderNames(db: Db, version: number): Promise<string[]> {
  const rows = await db.query<KnownVault>(
    `select distinct name from vault.vaults where $1 = any (holds) order by name limit ${NAMED_VAULTS_MAX}`,
    [version],
  );
  return rows.map(({ name }) => name);
}

/** Vaults whose key directory differs from this vault's. */
export const findOtherVaults = (db: Db, { name }: VaultSelf): Promise<KnownVault[]> =>
  db.query<KnownVault>(
    `select name, max(seen_at) as seen_at from vault.vaults where name <> $1
     group by name order by name limit ${NAMED_VAULTS_MAX}`,
    [name],
  );

/** SQL: a vault by its name, none of whose processes announced itself since. */
const RETIRABLE = `from vault.vaults where name = $1
  and not exists (select from vault.vaults v where v.name = $1 and v.seen_at >= $2)`;

/** A vault whose last announcement is older than `seenBefore`; undefined without one. */
export async function findRetirable(
  db: Db,
  name: string,
  seenBefore: Date,
): Promise<KnownVault | undefined> {
  const [row] = await db.query<KnownVault>(
    `select name, max(seen_at) as seen_at ${RETIRABLE} group by name`,
    [name, seenBefore],
  );
  return row;
}

/** Deletes a vault whose last announcement is older than `seenBefore`. Returns false without such a vault. */
export async function removeVault(db: Db, name: string, seenBefore: Date): Promise<boolean> {
  const deletedRows = await db.query(`delete ${RETIRABLE} returning id`, [name, seenBefore]);
  return deletedRows.length > 0;
}
