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

interface KeyRow {
  readonly kid: string;
  readonly active_at: Date;
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
  const active_at = nextActiveAt(await keysOf(tx, mode), now, request);
  if (active_at !== undefined) await addSealingKey(tx, deps.rootKeys, mode, { now, active_at });
  const publishedKeys = active_at === undefined ? [] : [(await keysOf(tx, mode))[0]];
  const retiredKeys = await retire(tx, mode, now);
  const destroyedKeys = await destroy(tx, mode, now);
  return [
    ...publishedKeys.map((key) => ({ mode, action: 'published' as const, kid: key?.kid ?? '' })),
    ...retiredKeys.map(({ kid }) => ({ mode, action: 'retired' as const, kid })),
    ...destroyedKeys.map(({ kid }) => ({ mode, action: 'destroyed' as const, kid })),
  ];
}

/** Keys of a mode, newest start of use first. */
const keysOf = (tx: Db, mode: Mode): Promise<KeyRow[]> =>
  tx.query(
    `select kid, active_at from vault.sealing_keys
     where mode = $1 and retired_at is null order by active_at desc, created_at desc`,
    [mode],
  );

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

/** Retires older keys, which only decrypt once a newer key is in use. */
const retire = (tx: Db, mode: Mode, now: number): Promise<{ kid: string }[]> =>
  tx.query(
    `update vault.sealing_keys old set retired_at = $2
     where mode = $1 and retired_at is null and exists (
       select from vault.sealing_keys newer
       where newer.mode = old.mode and newer.retired_at is null and newer.active_at <= $2
         and (newer.active_at, newer.created_at) > (old.active_at, old.created_at))
     returning kid`,
    [mode, new Date(now)],
  );

const destroy = (tx: Db, mode: Mode, now: number): Promise<{ kid: string }[]> =>
  tx.query('delete from vault.sealing_keys where mode = $1 and retired_at <= $2 returning kid', [
    mode,
    new Date(now - RETIRED_KEY_GRACE_MS),
  ]);
