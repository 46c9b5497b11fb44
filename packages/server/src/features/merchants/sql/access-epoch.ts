import type { Db } from '../../../platform/database/db.ts';

/** Milliseconds until other processes read a change of permissions. */
const EPOCH_LIFE_MS = 500;

/**
 * Counter of changes of permissions. Values that were cached in an earlier epoch are loaded again.
 */
export interface AccessEpoch {
  /** The epoch, at most 500 ms old. */
  current(): Promise<string>;
  /** Discards the cached epoch after a change by this process. */
  evict(): void;
}

/** Creates a cached epoch. Concurrent calls share one query. */
export function createAccessEpoch(db: Db, monotonic_ms: () => number): AccessEpoch {
  let cachedEpoch: { readonly epoch: Promise<string>; readonly until: number } | undefined;

  async function read(): Promise<string> {
    const [row] = await db.query('select epoch from access_epoch', [], 'access_epoch');
    return row?.epoch as string;
  }

  return {
    current() {
      if (cachedEpoch && cachedEpoch.until > monotonic_ms()) return cachedEpoch.epoch;
      const newEpoch = { epoch: read(), until: monotonic_ms() + EPOCH_LIFE_MS };
      cachedEpoch = newEpoch;
      newEpoch.epoch.catch(() => {
        if (cachedEpoch === newEpoch) cachedEpoch = undefined;
      });
      return newEpoch.epoch;
    },
    evict() {
      cachedEpoch = undefined;
    },
  };
}

/** Begins a new epoch, in the transaction of a change of permissions. */
export async function moveAccessEpoch(tx: Db): Promise<void> {
  await tx.query('update access_epoch set epoch = epoch + 1', [], 'move_access_epoch');
}
