import type { Sealer } from '../../platform/crypto/sealer.ts';
import type { Db } from '../../platform/database/db.ts';
import {
  listSecrets,
  type SecretVersion,
  secretLocation,
} from '../../platform/database/installation/secret-versions.ts';
import type { Micros } from '../../platform/time/clock.ts';
import { listProcessesWithout } from '../../platform/workers/heartbeats.ts';

/** Processes that an error names. */
const NAMED_MAX = 5;

/** Throws with the names of live processes that cannot open what one of these keys sealed. */
export async function requireKeys(db: Db, keys: readonly string[], now: Micros): Promise<void> {
  const without = await listProcessesWithout(db, keys, now, NAMED_MAX);
  if (without.length === 0) return;
  const names = without.map(({ process }) => process).join(', ');
  const cause = without.every(({ tells_keys }) => tells_keys)
    ? `lack the key ${keys.join(' or ')}`
    : 'lack a key that is needed, or are of an earlier version, which does not report its keys';
  throw new Error(
    `live processes ${cause}: ${names}. Nothing was changed. Put the key into secrets.key or FLORIN_SECRETS_KEY there, restart them, and run the command again`,
  );
}

/** Keys that sealed the newest version of each secret: without one, a process has only what `end-overlap` ends. */
export const keysOfNewest = async (db: Db, sealer: Sealer): Promise<string[]> => {
  const newest = (await listSecrets(db)).filter(({ expires_at }) => expires_at === undefined);
  return [...new Set(newest.flatMap((version) => keyOfVersion(sealer, version)))];
};

const keyOfVersion = (sealer: Sealer, version: SecretVersion): string[] => {
  const key = sealer.keyOf(version.sealed ?? '', secretLocation(version));
  return key === undefined ? [] : [key];
};
