import type { Sealer } from '../../platform/crypto/sealer.ts';
import type { Database, Db } from '../../platform/database/db.ts';
import {
  type InstanceSecretName,
  instanceSecretNames,
  newVersion,
} from '../../platform/database/installation/instance-secrets.ts';
import {
  deleteExpiredSecrets,
  expireOlder,
  insertSecret,
  listSecrets,
  lockSecrets,
  type SecretVersion,
} from '../../platform/database/installation/secret-versions.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';

/** Seconds until a new version signs: six times the interval in which processes read it. */
const ACTIVATION_SECONDS = 60;
/** Days in which the previous version still verifies. Links in emails live 30 days. */
export const OVERLAP_DAYS = 45;
const DAY_SECONDS = 24 * 60 * 60;

/**
 * Never rotated. `processor_messages`: a message that is sent again has the same idempotency key, or the processor would
 * charge twice. `request_hashes`: a request with an idempotency key may be repeated after years.
 */
const PERMANENT: ReadonlySet<InstanceSecretName> = new Set([
  'processor_messages',
  'request_hashes',
]);

const rotatedNames = instanceSecretNames.filter((name) => !PERMANENT.has(name));

/** A rotation of the secrets of the installation. */
interface SecretRotation {
  /** New versions, in the order of their names. */
  readonly versions: readonly Pick<SecretVersion, 'name' | 'version'>[];
  /** Time from which the new versions sign. */
  readonly active_at: string;
  /** Time until which the previous versions verify. */
  readonly expires_at: string;
  /** Earlier rotation whose versions still overlap. Nothing was rotated. */
  readonly overlaps_with?: string;
}

/** Runs in the transaction of a rotation: both are stored, or none. */
type InRotation = (tx: Db, rotation: SecretRotation) => Promise<void>;

interface RotateDeps {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly now: Micros;
}

/**
 * Gives every secret a new version. Processes verify with it at once, sign with it after `ACTIVATION_SECONDS`, and verify
 * with the previous version for `OVERLAP_DAYS`. One transaction: a crash leaves nothing, and a repeated command finds
 * the rotation. Refuses while an earlier one overlaps, unless `again`.
 */
export const rotateSecrets = (
  { db, sealer, now }: RotateDeps,
  { again, dry_run }: { readonly again: boolean; readonly dry_run: boolean },
  inRotation: InRotation,
): Promise<SecretRotation> =>
  db.transaction(async (tx) => {
    await lockSecrets(tx);
    const versions = await listSecrets(tx);
    const rotation = planRotation(versions, now);
    const overlaps_with = overlapOf(versions, now);
    if (overlaps_with !== undefined && !again) return { ...rotation, versions: [], overlaps_with };
    if (dry_run) return rotation;
    for (const { name, version } of rotation.versions) {
      const { active_at, expires_at } = rotation;
      await insertSecret(tx, { ...newVersion(sealer, name, version), active_at });
      await expireOlder(tx, { name, version }, expires_at);
    }
    await deleteExpiredSecrets(tx, instantText(now));
    await inRotation(tx, rotation);
    return rotation;
  });

/** The next version of each secret that is rotated, and their times. */
function planRotation(versions: readonly SecretVersion[], now: Micros): SecretRotation {
  const active = now + seconds(ACTIVATION_SECONDS);
  const newestOf = (name: string): number =>
    Math.max(0, ...versions.filter((known) => known.name === name).map(({ version }) => version));
  return {
    versions: rotatedNames.map((name) => ({ name, version: newestOf(name) + 1 })),
    active_at: instantText(active),
    expires_at: instantText(active + seconds(OVERLAP_DAYS * DAY_SECONDS)),
  };
}

/** Time until which a previous version verifies; undefined without one. */
function overlapOf(versions: readonly SecretVersion[], now: Micros): string | undefined {
  const ends = versions.flatMap(({ expires_at }) => expires_at ?? []);
  return ends
    .filter((end) => microsOf(end) > now)
    .sort()
    .at(-1);
}

/** Ends all previous versions now, after a theft. Returns how many. Links and sessions of them stop. */
export const endOverlap = (
  { db, now }: Pick<RotateDeps, 'db' | 'now'>,
  dry_run: boolean,
  inRotation: (tx: Db) => Promise<void>,
): Promise<number> =>
  db.transaction(async (tx) => {
    await lockSecrets(tx);
    const versions = await listSecrets(tx);
    const newest = versions.filter(({ expires_at }) => expires_at === undefined);
    const waiting = newest.find(({ active_at }) => isLater(active_at, now));
    if (waiting)
      throw new Error(`the new secrets sign from ${waiting.active_at} on: run it again then`);
    const previous = versions.length - newest.length;
    if (dry_run || previous === 0) return previous;
    for (const version of newest) await expireOlder(tx, version, instantText(now));
    await deleteExpiredSecrets(tx, instantText(now + 1));
    await inRotation(tx);
    return previous;
  });

const isLater = (at: string, now: Micros): boolean => at !== '-infinity' && microsOf(at) > now;
