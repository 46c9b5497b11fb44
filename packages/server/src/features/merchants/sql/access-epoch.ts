import type { Db } from '../../../platform/database/db.ts';

/** Other processes notice a removed permission within this time. */
const EPOCH_LIFE_MS = 500;

/** Counts changes of permissions: values cached in an earlier epoch are reloaded. */
export interface AccessEpoch {
  /** The epoch, at most half a second old. */
  current(): Promise<string>;
  /** Discards the cached epoch, since this process has just changed it. */
  evict(): void;
}

/** Concurrent calls share one query. */
export function createAccessEpoch(db: Db, monotonic_ms: () => number): AccessEpoch {
  let known: { readonly epoch: Promise<string>; readonly until: number } | undefined;

  async function read(): Promise<string> {
    const [row] = await db.query('select epoch from access_epoch', [], 'access_epoch');
    return row?.epoch as string;
  }

  return {
    current() {
      if (known && known.until > monotonic_ms()) return known.epoch;
      const asked = { epoch: read(), until: monotonic_ms() + EPOCH_LIFE_MS };
      known = asked;
      asked.epoch.catch(() => {
        if (known === asked) known = undefined;
      });
      return asked.epoch;
    },
    evict() {
      known = undefined;
    },
  };
}

/** Begins another epoch with the transaction of the change. */
export async function moveAccessEpoch(tx: Db): Promise<void> {
  await tx.query('update access_epoch set epoch = epoch + 1', [], 'move_access_epoch');
}
