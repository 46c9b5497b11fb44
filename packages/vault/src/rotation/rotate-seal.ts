import type { Mode } from '@florin/contract/protocol/vault.ts';
import {
  addSealingKey,
  MODES,
  RETIRED_KEY_GRACE_MS,
  type SealingKeyDeps,
} from '../keys/sealing-keys.ts';
import type { Db } from '../store/db.ts';

/** Time after which the form's encryption key is replaced. */
export const SEAL_LIFE_MS = 30 * 24 * 60 * 60 * 1000;
/** Time for which the next key is published before forms use it. */
export const PUBLISH_LEAD_MS = 24 * 60 * 60 * 1000;

/** Reason to publish the next key: its time is due, an operator requested it, or it is needed now. */
export type SealRequest = 'when due' | 'requested' | 'at once';

/** A change of a mode's encryption key. */
export interface SealStep {
  readonly mode: Mode;
  readonly action: 'published' | 'retired' | 'destroyed';
  readonly kid: string;
}

/** A key of a mode, without the key. */
interface KeyRow {
  readonly kid: string;
  readonly active_at: Date;
  readonly created_at: Date;
  readonly retired_at: Date | null;
}

/** Changes of a mode by a rotation. */
export interface SealPlan {
  /** Start of use of the key to publish, in milliseconds; undefined if none is needed. */
  readonly active_at: number | undefined;
  readonly retired: readonly string[];
  readonly destroyed: readonly string[];
}

/** Rotates the form's encryption keys of both modes as needed. The lock lets only one of several vaults rotate. */
export const rotateSealingKeys = (
  deps: SealingKeyDeps,
  request: SealRequest = 'when due',
): Promise<SealStep[]> =>
  deps.db.transaction(async (tx) => {
    await tx.query('lock table vault.sealing_keys in share row exclusive mode');
    const steps: SealStep[] = [];
    for (const mode of MODES) steps.push(...(await rotateMode(tx, deps, mode, request)));
    return steps;
  });

async function rotateMode(
  tx: Db,
  deps: SealingKeyDeps,
  mode: Mode,
  request: SealRequest,
): Promise<SealStep[]> {
  const now = deps.clock();
  const { active_at, retired, destroyed } = await planSeal(tx, mode, now, request);
  const published =
    active_at === undefined
      ? []
      : [await addSealingKey(tx, deps.rootKeys, mode, { now, active_at })];
  await retire(tx, mode, retired, now);
  await destroy(tx, mode, destroyed);
  return [
    ...published.map((kid) => ({ mode, action: 'published' as const, kid })),
    ...retired.map((kid) => ({ mode, action: 'retired' as const, kid })),
    ...destroyed.map((kid) => ({ mode, action: 'destroyed' as const, kid })),
  ];
}

/** Reads the keys of a mode, and decides what a rotation changes now. */
export async function planSeal(
  db: Db,
  mode: Mode,
  now: number,
  request: SealRequest,
): Promise<SealPlan> {
  const rows = await keysOf(db, mode);
  const keys = rows.filter(({ retired_at }) => retired_at === null);
  const active_at = nextActiveAt(keys, now, request);
  const added =
    active_at === undefined ? [] : [{ active_at: new Date(active_at), created_at: new Date(now) }];
  return {
    active_at,
    retired: kidsOf(keys.filter((key) => isReplaced(key, [...keys, ...added], now))),
    destroyed: kidsOf(rows.filter((row) => isOver(row, now))),
  };
}

const kidsOf = (rows: readonly KeyRow[]): string[] => rows.map(({ kid }) => kid);

/** All keys of a mode, newest start of use first. */
const keysOf = (db: Db, mode: Mode): Promise<KeyRow[]> =>
  db.query(
    `select kid, active_at, created_at, retired_at from vault.sealing_keys
     where mode = $1 order by active_at desc, created_at desc`,
    [mode],
  );

type Times = Pick<KeyRow, 'active_at' | 'created_at'>;

/** Whether a newer key is in use. The older one then only decrypts. */
const isReplaced = (key: Times, keys: readonly Times[], now: number): boolean =>
  keys.some((other) => other.active_at.getTime() <= now && isNewer(other, key));

const isNewer = (one: Times, other: Times): boolean =>
  one.active_at.getTime() === other.active_at.getTime()
    ? one.created_at > other.created_at
    : one.active_at > other.active_at;

/** Whether a retired key no longer decrypts. */
const isOver = ({ retired_at }: KeyRow, now: number): boolean =>
  retired_at !== null && retired_at.getTime() <= now - RETIRED_KEY_GRACE_MS;

/**
 * Start of use of the key to publish now; undefined if no key is needed. A mode's first key is created on
 * demand.
 */
function nextActiveAt(
  keys: readonly KeyRow[],
  now: number,
  request: SealRequest,
): number | undefined {
  const [newestKey] = keys;
  if (!newestKey) return undefined;
  if (request === 'at once') return now;
  if (newestKey.active_at.getTime() > now) return undefined;
  const dueAt = newestKey.active_at.getTime() + SEAL_LIFE_MS;
  if (request === 'requested') return now + PUBLISH_LEAD_MS;
  return now >= dueAt - PUBLISH_LEAD_MS ? Math.max(dueAt, now + PUBLISH_LEAD_MS) : undefined;
}

const retire = (tx: Db, mode: Mode, kids: readonly string[], now: number): Promise<unknown> =>
  tx.query('update vault.sealing_keys set retired_at = $3 where mode = $1 and kid = any ($2)', [
    mode,
    kids,
    new Date(now),
  ]);

const destroy = (tx: Db, mode: Mode, kids: readonly string[]): Promise<unknown> =>
  tx.query('delete from vault.sealing_keys where mode = $1 and kid = any ($2)', [mode, kids]);
