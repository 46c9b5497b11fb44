import type { Sealer } from '../../platform/crypto/sealer.ts';
import type { Db } from '../../platform/database/db.ts';
import {
  deleteSecrets,
  listSecrets,
  secretLocation,
} from '../../platform/database/installation/secret-versions.ts';

/** Deletes secrets of the installation that no key opens, so that the next start makes new ones. Returns their names. */
export async function deleteLostSecrets(db: Db, sealer: Sealer): Promise<string[]> {
  const lost = (await listSecrets(db)).filter(
    (version) =>
      version.sealed && sealer.stateOf(version.sealed, secretLocation(version)) === 'unreadable',
  );
  if (lost.length > 0) await deleteSecrets(db, lost);
  return lost.map(({ name }) => name);
}
