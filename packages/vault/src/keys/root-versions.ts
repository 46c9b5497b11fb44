import type { Clock } from '../kernel/clock.ts';
import type { Database, Db } from '../store/db.ts';
import type { Kms } from './kms/kms.ts';
import { GONE_MS, type Lacking, lockVaults, SILENT_MS, vaultsWithout } from './vaults.ts';

/** Cryptoperiod of a version of the root key. */
const ROOT_LIFE_MS = 365 * 24 * 60 * 60 * 1000;
const CHECK_CONTEXT = 'root-key-check';
const CHECK_PLAIN = Buffer.from('florin vault');

/** A version of the root key, as the database knows it: never the key. */
export interface RootVersion {
  readonly version: number;
  readonly provider: string;
  /** Null where an HSM keeps the key. */
  readonly fingerprint: string | null;
  /** A known text that the key has wrapped. */
  readonly check_value: Buffer;
}

export interface RootVersionDeps {
  readonly db: Database;
  readonly kms: Kms;
  readonly clock: Clock;
}

const COLUMNS = 'version, provider, fingerprint, check_value';

/** The version that wraps; undefined before the first start. */
export async function newestVersion(db: Db): Promise<RootVersion | undefined> {
  const [row] = await db.query<RootVersion>(
    `select ${COLUMNS} from vault.root_keys order by version desc limit 1`,
    [],
    'newest-root-key',
  );
  return row;
}

/** The next version, which waits until every vault holds it. */
export async function stagedVersion(db: Db): Promise<RootVersion | undefined> {
  const [row] = await db.query<RootVersion>(`select ${COLUMNS} from vault.staged_root_keys`);
  return row;
}

/** Every version that wraps keys, or may yet: not those whose keys were all wrapped anew. */
export const versionsInUse = (db: Db): Promise<RootVersion[]> =>
  db.query<RootVersion>(
    `select ${COLUMNS} from vault.root_keys where destroy_at is null order by version`,
  );

/** Whether the key that the provider has by that name is the key of the version. */
export const isHeld = (kms: Kms, { version, check_value }: RootVersion): Promise<boolean> =>
  kms.unwrap(version, check_value, CHECK_CONTEXT).then(
    () => true,
    () => false,
  );

/** Throws the provider's error where it has another key, or none. */
export const proveVersion = (kms: Kms, { version, check_value }: RootVersion): Promise<Buffer> =>
  kms.unwrap(version, check_value, CHECK_CONTEXT);

async function makeVersion(kms: Kms, version: number): Promise<RootVersion> {
  await kms.createVersion(version);
  const { provider } = await kms.describe();
  const fingerprint = (await kms.fingerprintOf(version)) ?? null;
  const check_value = await kms.wrap(version, CHECK_PLAIN, CHECK_CONTEXT);
  return { version, provider, fingerprint, check_value };
}

/** Of two vaults that add the first version at once, the first to insert decides which key counts. */
export async function addFirstVersion({ db, kms, clock }: RootVersionDeps): Promise<RootVersion> {
  const made = await makeVersion(kms, 1);
  const now = clock();
  await db.query(
    `insert into vault.root_keys (version, provider, fingerprint, check_value, created_at, rotate_at)
     values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
    [
      made.version,
      made.provider,
      made.fingerprint,
      made.check_value,
      new Date(now),
      new Date(now + ROOT_LIFE_MS),
    ],
  );
  return (await newestVersion(db)) ?? made;
}

/** A version that waits, and whether this call has made it. */
export interface Staged extends RootVersion {
  readonly is_new: boolean;
}

/**
 * Makes the next version, which wraps nothing yet. Of several vaults at once one makes it; the others get the same. A version
 * that no vault holds any more is lost, and another key takes its number: nothing was ever wrapped by it.
 */
export const stageNext = ({ db, kms, clock }: RootVersionDeps): Promise<Staged> =>
  db.transaction(async (tx) => {
    await lockVaults(tx);
    await dropLost(tx, clock());
    const waiting = await stagedVersion(tx);
    if (waiting) return { ...waiting, is_new: false };
    const newest = await newestVersion(tx);
    const made = await makeVersion(kms, (newest?.version ?? 0) + 1);
    await tx.query(
      `insert into vault.staged_root_keys (version, provider, fingerprint, check_value, created_at)
       values ($1, $2, $3, $4, $5)`,
      [made.version, made.provider, made.fingerprint, made.check_value, new Date(clock())],
    );
    return { ...made, is_new: true };
  });

/** Drops a version that no vault has announced, though the one that made it had the time to, or only vaults that are gone. */
const dropLost = (tx: Db, now: number): Promise<object[]> =>
  tx.query(
    `delete from vault.staged_root_keys s where created_at <= $1
       and not exists (select from vault.vaults where s.version = any (holds) and seen_at > $2)`,
    [new Date(now - SILENT_MS), new Date(now - GONE_MS)],
  );

/** What became of the wish to use a version. */
export interface Activation extends Lacking {
  /** Whether this call has done it; another vault may have done it before. */
  readonly done: boolean;
}

/** Has the version that waits wrap from now on, unless a vault of this database lacks it. */
export const activateStaged = (
  { db, clock }: RootVersionDeps,
  version: number,
): Promise<Activation> =>
  db.transaction(async (tx) => {
    await lockVaults(tx);
    const now = clock();
    const lacking = await vaultsWithout(tx, version, now);
    if (lacking.waits_for.length > 0) return { done: false, ...lacking };
    const added = await tx.query(
      `insert into vault.root_keys (version, provider, fingerprint, check_value, created_at, rotate_at)
       select version, provider, fingerprint, check_value, created_at, $2 from vault.staged_root_keys
       where version = $1 on conflict do nothing returning version`,
      [version, new Date(now + ROOT_LIFE_MS)],
    );
    await tx.query('delete from vault.staged_root_keys where version <= $1', [version]);
    return { done: added.length > 0, ...lacking };
  });

/** Names the keys of versions from before keys had names. */
export async function nameVersions(
  { db, kms }: Pick<RootVersionDeps, 'db' | 'kms'>,
  held: readonly RootVersion[],
): Promise<void> {
  for (const { version } of held.filter(({ fingerprint }) => !fingerprint)) {
    const fingerprint = await kms.fingerprintOf(version);
    if (!fingerprint) continue;
    await db.query(
      'update vault.root_keys set fingerprint = $2 where version = $1 and fingerprint is null',
      [version, fingerprint],
    );
  }
}
