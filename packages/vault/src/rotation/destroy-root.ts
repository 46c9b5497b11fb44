import type { Audit } from '../audit/audit.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import { faultOf, type Log } from '../kernel/logger.ts';
import type { VaultSelf } from '../keys/vaults.ts';
import { type DueVersion, listDueVersions, type RootDeps } from './rewrap-keys.ts';

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
  const dueVersions = await listDueVersions(deps);
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
  if (version >= (await deps.rootKeys.current())) {
    throw new VaultRefusal(
      'bad_request',
      `Version ${version} of the root key was not replaced: rotate root first.`,
    );
  }
  await deleteVersion(deps, version);
  await deps.kms.destroyVersion(version);
}

/** Deletes the version's row. Foreign keys prove that no key needs the version. */
async function deleteVersion({ db }: RootDeps, version: number): Promise<void> {
  try {
    await db.query('delete from vault.root_keys where version = $1', [version]);
  } catch (error) {
    if (faultOf(error) !== FOREIGN_KEY_VIOLATION) throw error;
    throw new VaultRefusal(
      'bad_request',
      `Version ${version} of the root key still wraps keys: rotate root again, and see the log for those that do not open.`,
      { cause: error },
    );
  }
}

/**
 * Destroys keys whose version has no row: after a crash, and those of this machine that another vault destroyed. Each
 * has an entry of its own, which names this vault.
 */
async function finishDestroying(deps: DestroyDueDeps): Promise<void> {
  const { db, kms, rootKeys, audit, self, announcedLeftovers } = deps;
  const storedVersions = await db.query<{ version: number }>('select version from vault.root_keys');
  const currentVersion = await rootKeys.current();
  const { versions } = await kms.describe();
  const orphanedVersions = versions.filter(
    (version) => version < currentVersion && !storedVersions.some((row) => row.version === version),
  );
  for (const version of orphanedVersions) {
    const subject = `version ${version} on ${self.name}`;
    if (!announcedLeftovers.has(version))
      await audit.record({ ...ENTRY, outcome: `requested: ${subject}` });
    announcedLeftovers.add(version);
    await kms.destroyVersion(version);
    await audit.record({ ...ENTRY, outcome: subject });
  }
}
