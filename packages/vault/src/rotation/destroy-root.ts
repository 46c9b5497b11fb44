import type { Audit } from '../audit/audit.ts';
import { badRequest, VaultRefusal } from '../kernel/errors.ts';
import { faultOf, type Log } from '../kernel/logger.ts';
import type { Kms } from '../keys/kms/kms.ts';
import { findNewestVersion } from '../keys/root-versions.ts';
import type { VaultSelf } from '../keys/vaults.ts';
import type { Db } from '../store/db.ts';
import {
  type DueVersion,
  findReplacedVersion,
  listDueVersions,
  type ReplacedVersion,
  type RootDeps,
} from './rewrap-keys.ts';

const FOREIGN_KEY_VIOLATION = '23503';
const ENTRY = { actor: 'schedule', verb: 'destroy_root' } as const;

export interface DestroyDueDeps extends RootDeps {
  readonly audit: Pick<Audit, 'record'>;
  readonly log: Log;
  readonly self: VaultSelf;
  /** Versions whose leftover key this process has announced, so that each is announced once. */
  readonly announcedLeftovers: Set<number>;
  /** Versions past their grace period that a key still needs, as of the last run. */
  readonly neededRoots: DueVersion[];
}

/**
 * Destroys root key versions after their grace period, each after its audit entry. Versions that a key still needs stay
 * and are logged.
 */
export async function destroyDueRoots(deps: DestroyDueDeps): Promise<void> {
  const dueVersions = await listDueVersions(deps.db, deps.clock());
  deps.neededRoots.splice(0, Infinity, ...dueVersions.filter(({ is_needed }) => is_needed));
  for (const { version, is_needed } of dueVersions) {
    if (is_needed) deps.log({ event: 'root_key_still_needed', version });
    else await destroyDueRoot(deps, version);
  }
  await finishDestroying(deps);
}

async function destroyDueRoot(deps: DestroyDueDeps, version: number): Promise<void> {
  await deps.audit.record({ ...ENTRY, outcome: `requested: version ${version}` });
  try {
    await destroyRoot(deps, version);
  } catch (error) {
    if (!(error instanceof VaultRefusal)) throw error;
    return deps.audit.record({ ...ENTRY, outcome: `refused: version ${version}` });
  }
  await deps.audit.record({ ...ENTRY, outcome: `version ${version}` });
}

/**
 * Destroys a replaced version at its provider, permanently: no key that it wraps, in any backup, can be
 * decrypted again. Throws `bad_request` for the version that wraps keys, and for a version that a key of this
 * database still needs.
 */
export async function destroyRoot(deps: RootDeps, version: number): Promise<void> {
  await requireDestroyable(deps.db, version);
  await deleteVersion(deps, version);
  await deps.kms.destroyVersion(version);
}

/** Returns the version's row; undefined without one. Throws `bad_request` if a key needs the version, or may soon. */
export async function requireDestroyable(
  db: Db,
  version: number,
): Promise<ReplacedVersion | undefined> {
  if (version >= ((await findNewestVersion(db))?.version ?? 1)) throw notReplaced(version);
  const replaced = await findReplacedVersion(db, version);
  if (replaced?.is_needed) throw stillNeeded(version);
  return replaced;
}

const notReplaced = (version: number): VaultRefusal =>
  badRequest(`Version ${version} of the root key was not replaced: rotate root first.`);

const stillNeeded = (version: number, options?: ErrorOptions): VaultRefusal =>
  badRequest(
    `Version ${version} of the root key still wraps keys: rotate root again, and see the log for those that do not open.`,
    options,
  );

/** Deletes the version's row. Foreign keys prove that no key needs it, also of one that was wrapped meanwhile. */
async function deleteVersion({ db }: RootDeps, version: number): Promise<void> {
  try {
    await db.query('delete from vault.root_keys where version = $1', [version]);
  } catch (error) {
    if (faultOf(error) !== FOREIGN_KEY_VIOLATION) throw error;
    throw stillNeeded(version, { cause: error });
  }
}

/**
 * Destroys keys whose version has no row: after a crash, and those of this machine that another vault destroyed. Each
 * has an entry of its own, which names this vault.
 */
async function finishDestroying(deps: DestroyDueDeps): Promise<void> {
  const { kms, audit, self, announcedLeftovers } = deps;
  for (const version of await findOrphanedVersions(deps)) {
    const subject = `version ${version} on ${self.name}`;
    if (!announcedLeftovers.has(version))
      await audit.record({ ...ENTRY, outcome: `requested: ${subject}` });
    announcedLeftovers.add(version);
    await kms.destroyVersion(version);
    await audit.record({ ...ENTRY, outcome: subject });
  }
}

/** Versions of this machine's provider that were replaced, and have no row. */
export async function findOrphanedVersions({
  db,
  kms,
}: {
  readonly db: Db;
  readonly kms: Kms;
}): Promise<number[]> {
  const storedRows = await db.query<{ version: number }>('select version from vault.root_keys');
  const storedVersions = storedRows.map(({ version }) => version);
  const currentVersion = Math.max(1, ...storedVersions);
  const { versions } = await kms.describe();
  return versions.filter(
    (version) => version < currentVersion && !storedVersions.includes(version),
  );
}
