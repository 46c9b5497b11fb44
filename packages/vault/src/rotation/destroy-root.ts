import type { Audit } from '../audit/audit.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import { faultOf } from '../kernel/logger.ts';
import type { RootDeps } from './rewrap-keys.ts';

const FOREIGN_KEY_VIOLATION = '23503';

/** Destroys root key versions after their grace period, each after its audit entry. */
export async function destroyDueRoots(
  deps: RootDeps & { readonly audit: Pick<Audit, 'record'> },
): Promise<void> {
  const entry = { actor: 'schedule', verb: 'destroy_root' } as const;
  const dueVersions = await deps.db.query<{ version: number }>(
    'select version from vault.root_keys where destroy_at <= $1 order by version',
    [new Date(deps.clock())],
  );
  for (const { version } of dueVersions) {
    await deps.audit.record({ ...entry, outcome: `requested: version ${version}` });
    await destroyRoot(deps, version);
    await deps.audit.record({ ...entry, outcome: `version ${version}` });
  }
  await finishDestroying(deps);
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

/** Completes destructions that a crash interrupted after the row was deleted. */
async function finishDestroying({ db, kms, rootKeys }: RootDeps): Promise<void> {
  const storedVersions = await db.query<{ version: number }>('select version from vault.root_keys');
  const currentVersion = await rootKeys.current();
  const { versions } = await kms.describe();
  const orphanedVersions = versions.filter(
    (version) => version < currentVersion && !storedVersions.some((row) => row.version === version),
  );
  for (const version of orphanedVersions) await kms.destroyVersion(version);
}
