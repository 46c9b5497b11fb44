import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { VaultConfig } from '../config/config.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Database, Db } from '../store/db.ts';

/** This process among the vaults of its database. */
export interface VaultSelf {
  readonly id: string;
  /** Host and directory of its root keys. Processes of the same name share the directory, and so what is in it. */
  readonly name: string;
}

/** A vault of this database, running or not. */
export interface KnownVault {
  readonly name: string;
  readonly seen_at: Date;
}

/** A vault that was heard of within this time may still run. */
export const SILENT_MS = 30_000;
/** No rotation waits for a vault that was not heard of for this long: containers have another host name at each start. */
export const GONE_MS = 7 * 24 * 60 * 60_000;
/** Vaults that were not heard of for longer than a root key lasts are off the list. */
const FORGOTTEN_MS = 400 * 24 * 60 * 60_000;
/** Far more than share a database. */
const NAMED_MAX = 100;
/** Any number that no other program locks on in the same database. */
const VAULTS_LOCK = 7_238_104_512;

export const vaultSelf = ({ dataDir, name }: Pick<VaultConfig, 'dataDir' | 'name'>): VaultSelf => ({
  id: randomUUID(),
  name: name ?? `${hostname()}:${resolve(dataDir)}`,
});

/** Held to the end of the transaction: no vault is added while another decides that all of them hold a version. */
export const lockVaults = (tx: Db): Promise<object[]> =>
  tx.query('select pg_advisory_xact_lock($1)', [VAULTS_LOCK]);

interface SelfDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly self: VaultSelf;
}

/** Adds this vault in the place of an earlier run, before it looks at any key; another run that lives adds itself again. */
export const registerVault = ({ db, clock, self }: SelfDeps): Promise<void> =>
  db.transaction(async (tx) => {
    await lockVaults(tx);
    const now = clock();
    await tx.query('delete from vault.vaults where name = $1 or seen_at < $2', [
      self.name,
      new Date(now - FORGOTTEN_MS),
    ]);
    await announceVault(tx, self, { holds: [], now });
  });

/** Says which versions of the root key this vault holds now. */
export async function announceVault(
  db: Db,
  { id, name }: VaultSelf,
  { holds, now }: { readonly holds: readonly number[]; readonly now: number },
): Promise<void> {
  await db.query(
    `insert into vault.vaults (id, name, holds, seen_at) values ($1, $2, $3, $4)
     on conflict (id) do update set holds = excluded.holds, seen_at = excluded.seen_at`,
    [id, name, holds, new Date(now)],
    'announce-vault',
  );
}

/** The vaults that do not hold a version. */
export interface Lacking {
  /** The vaults that a rotation waits for. */
  readonly waits_for: readonly KnownVault[];
  /** The vaults that are gone. Each needs the key before it can serve cards again. */
  readonly passed_over: readonly KnownVault[];
}

/**
 * Vaults that do not hold a version, each name once. A process that fell silent counts no more where another one of its
 * directory lives.
 */
export async function vaultsWithout(db: Db, version: number, now: number): Promise<Lacking> {
  const rows = await db.query<KnownVault & { readonly is_gone: boolean }>(
    `select name, max(seen_at) as seen_at, max(seen_at) <= $3 as is_gone from vault.vaults v
     where not ($1 = any (holds)) and not exists (select from vault.vaults living
       where living.name = v.name and living.seen_at > v.seen_at + $2 * interval '1 millisecond')
     group by name order by is_gone, name limit ${NAMED_MAX}`,
    [version, SILENT_MS, new Date(now - GONE_MS)],
  );
  return {
    waits_for: rows.filter(({ is_gone }) => !is_gone),
    passed_over: rows.filter(({ is_gone }) => is_gone),
  };
}

/** Names vaults with when they were heard of. */
export const namesOf = (vaults: readonly KnownVault[]): string[] =>
  vaults.map(({ name, seen_at }) => `${name} (heard of at ${seen_at.toISOString()})`);

/** Names of the vaults that hold a version. */
export async function holdersOf(db: Db, version: number): Promise<string[]> {
  const rows = await db.query<KnownVault>(
    `select distinct name from vault.vaults where $1 = any (holds) order by name limit ${NAMED_MAX}`,
    [version],
  );
  return rows.map(({ name }) => name);
}

/** The vaults with keys in another place than this one's. */
export const otherVaults = (db: Db, { name }: VaultSelf): Promise<KnownVault[]> =>
  db.query<KnownVault>(
    `select name, max(seen_at) as seen_at from vault.vaults where name <> $1
     group by name order by name limit ${NAMED_MAX}`,
    [name],
  );

/** Takes a vault off the list that was last heard of before; false where there is no such one. */
export async function removeVault(db: Db, name: string, before: Date): Promise<boolean> {
  const gone = await db.query(
    `delete from vault.vaults where name = $1
       and not exists (select from vault.vaults v where v.name = $1 and v.seen_at >= $2) returning id`,
    [name, before],
  );
  return gone.length > 0;
}
