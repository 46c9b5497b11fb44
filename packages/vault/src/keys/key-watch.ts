import type { Clock } from '../kernel/clock.ts';
import { runEvery } from '../kernel/every.ts';
import { faultOf, type Log } from '../kernel/logger.ts';
import type { Database, Db } from '../store/db.ts';
import { type KeyAges, readKeyAges } from './key-ages.ts';
import type { Kms } from './kms/kms.ts';
import {
  findStagedVersion,
  isHeld,
  isRootDue,
  listVersionsInUse,
  type RootVersion,
  storeFingerprints,
} from './root-versions.ts';
import {
  announceVault,
  describeVaults,
  findOtherVaults,
  findVaultsWithout,
  type VaultSelf,
} from './vaults.ts';

/** Status of the root key versions as this vault sees them. */
export interface KeyStatus {
  /** Versions that this vault holds, in storage and in memory. */
  readonly holds: readonly number[];
  /** Versions in use that this vault cannot unwrap. Requests for cards under them fail here. */
  readonly lacks: readonly number[];
  /** The staged version, and the names of vaults that do not hold it yet. */
  readonly staged?: { readonly version: number; readonly waits_for: readonly string[] };
  /** The newest version, and absent vaults that lack it, with the time of their last announcement. */
  readonly skipped?: { readonly version: number; readonly vaults: readonly string[] };
  /** Whether a due rotation needs an operator. */
  readonly is_due: boolean;
  /** Seconds since the newest key was created. A kind without a key has no age. */
  readonly key_ages: KeyAges;
}

/** Announces this vault's root key versions periodically, and detects missing ones. */
export interface KeyWatch extends AsyncDisposable {
  /** Checks and announces now. */
  check(): Promise<KeyStatus>;
  /** Result of the latest check. */
  status(): KeyStatus;
}

export interface KeyWatchDeps {
  readonly db: Database;
  readonly kms: Kms;
  readonly clock: Clock;
  readonly log: Log;
  readonly self: VaultSelf;
}

/** Interval of announcements; tests use a shorter one. */
export const ANNOUNCE_MS = 5_000;

/** Checks once before the returned promise resolves, then periodically. */
export async function startKeyWatch(
  deps: KeyWatchDeps,
  announce_ms = ANNOUNCE_MS,
): Promise<KeyWatch> {
  let status: KeyStatus = { holds: [], lacks: [], is_due: false, key_ages: {} };
  async function check(): Promise<KeyStatus> {
    const previousStatus = status;
    status = await checkOnce(deps);
    if (textOf(previousStatus) !== textOf(status)) logStatus(deps.log, status);
    return status;
  }
  const logFailure = (error: unknown) =>
    deps.log({ event: 'key_watch_failed', fault: faultOf(error) });
  await check();
  const loop = runEvery(announce_ms, () => check().then(() => {}, logFailure));
  return {
    check,
    status: () => status,
    [Symbol.asyncDispose]: () => loop[Symbol.asyncDispose](),
  };
}

/** Status without ages, which change with each check. */
const textOf = ({ key_ages: _ages, ...status }: KeyStatus): string => JSON.stringify(status);

async function checkOnce(deps: KeyWatchDeps): Promise<KeyStatus> {
  const { db, kms, clock, self } = deps;
  const [usedVersions, stagedRow] = [await listVersionsInUse(db), await findStagedVersion(db)];
  const { versions: storedVersions } = await kms.describe();
  const heldVersions: RootVersion[] = [];
  for (const row of stagedRow ? [...usedVersions, stagedRow] : usedVersions)
    if (await isHeld(kms, row)) heldVersions.push(row);
  const holds = heldVersions
    .map(({ version }) => version)
    .filter((version) => storedVersions.includes(version));
  await announceVault(db, self, { holds, now: clock() });
  await storeFingerprints(
    deps,
    heldVersions.filter((row) => row !== stagedRow),
  );
  return {
    holds,
    lacks: usedVersions.filter((row) => !heldVersions.includes(row)).map(({ version }) => version),
    ...(await statusOfOtherVaults(deps, stagedRow, usedVersions.at(-1))),
    is_due: !stagedRow && (await needsOperator(deps)),
    key_ages: await readKeyAges(db, clock()),
  };
}

async function statusOfOtherVaults(
  { db, clock }: KeyWatchDeps,
  staged: RootVersion | undefined,
  newestInUse: RootVersion | undefined,
): Promise<Pick<KeyStatus, 'staged' | 'skipped'>> {
  const { version = 1 } = staged ?? newestInUse ?? {};
  const { waits_for, skipped } = await findVaultsWithout(db, version, clock());
  return {
    ...(staged && { staged: { version, waits_for: waits_for.map(({ name }) => name) } }),
    ...(skipped.length > 0 && { skipped: { version, vaults: describeVaults(skipped) } }),
  };
}

/**
 * Whether a due rotation needs an operator: people must copy file keys to other vaults, so no vault rotates
 * alone.
 */
export async function needsOperator(
  deps: Pick<KeyWatchDeps, 'kms' | 'clock' | 'self'> & { readonly db: Db },
): Promise<boolean> {
  const { db, kms, self } = deps;
  if ((await kms.describe()).provider !== 'file' || !(await isRootDue(deps))) return false;
  return (await findOtherVaults(db, self)).length > 0;
}

function logStatus(log: Log, { lacks, staged, skipped, is_due }: KeyStatus): void {
  for (const version of lacks) log({ event: 'root_key_missing', version });
  if (staged && staged.waits_for.length > 0) log({ event: 'root_rotation_waits', ...staged });
  if (skipped) log({ event: 'vaults_skipped', ...skipped });
  if (is_due) log({ event: 'root_rotation_due' });
}
