import type { Db } from '../../../platform/database/db.ts';

/** Another process hears within this time that somebody may do less than before. */
const EPOCH_LIFE_MS = 500;

/** Counts changes of who may do what: what is remembered from an earlier epoch is looked up again. */
export interface AccessEpoch {
  /** The epoch, as it was half a second ago at most. */
  current(): Promise<string>;
  /** This process changed it just now. */
  forget(): void;
}

/** Those who ask at the same time share one query. */
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
    forget() {
      known = undefined;
    },
  };
}

/** Begins another epoch with the transaction of the change. */
export async function moveAccessEpoch(tx: Db): Promise<void> {
  await tx.query('update access_epoch set epoch = epoch + 1', [], 'move_access_epoch');
}
