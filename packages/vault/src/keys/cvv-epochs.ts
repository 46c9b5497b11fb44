import { randomUUID } from 'node:crypto';
import type { Mode } from '@florin/contract/protocol/vault.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Db } from '../store/db.ts';
import type { RootKeys, WrappedKey } from './root-keys.ts';

/** Time for which one key encrypts verification values. */
export const EPOCH_MS = 15 * 60 * 1000;
/** Lifetime of an unused verification value. */
export const CVV_LIFE_MS = 15 * 60 * 1000;

export interface Epoch {
  readonly id: string;
  readonly key: Buffer;
}

/** Keys of verification values. Each encrypts values for 15 minutes and is deleted with its last value. */
export interface CvvEpochs {
  /** Returns the current key. Creates a new one if the newest is 15 minutes old. */
  current(mode: Mode): Promise<Epoch>;
  /** Decrypts an epoch's key. Throws if the epoch's row was changed. */
  unwrap(mode: Mode, epoch: WrappedEpoch): Promise<Buffer>;
  /** Starts the next epoch early. */
  advance(mode: Mode): Promise<void>;
  /** Deletes keys past their destruction time and all values under them. Returns the number of keys. */
  sweep(): Promise<number>;
}

export interface WrappedEpoch extends WrappedKey {
  readonly id: string;
}

interface EpochDeps {
  readonly db: Db;
  readonly rootKeys: RootKeys;
  readonly clock: Clock;
}

export function createCvvEpochs(deps: EpochDeps): CvvEpochs {
  const { db, rootKeys, clock } = deps;
  const keys = new Map<string, Buffer>();
  const pendingEpochs = new Map<Mode, Promise<WrappedEpoch>>();

  /** Concurrent callers share one new epoch. */
  function openEpochOnce(mode: Mode): Promise<WrappedEpoch> {
    const pendingEpoch = pendingEpochs.get(mode);
    if (pendingEpoch) return pendingEpoch;
    const newEpoch = openEpoch(deps, mode).finally(() => pendingEpochs.delete(mode));
    pendingEpochs.set(mode, newEpoch);
    return newEpoch;
  }

  async function unwrap(mode: Mode, epoch: WrappedEpoch): Promise<Buffer> {
    const key = keys.get(epoch.id) ?? (await rootKeys.unwrap(epoch, epochContext(mode, epoch.id)));
    keys.set(epoch.id, key);
    return key;
  }

  return {
    unwrap,
    async current(mode) {
      const epoch = (await findNewestEpoch(db, mode, clock())) ?? (await openEpochOnce(mode));
      return { id: epoch.id, key: await unwrap(mode, epoch) };
    },
    advance: async (mode) => void (await openEpochOnce(mode)),
    async sweep() {
      const deletedRows = await db.query<{ id: string }>(
        'delete from vault.cvv_epochs where destroy_at <= $1 returning id',
        [new Date(clock())],
      );
      const remainingRows = await db.query<{ id: string }>('select id from vault.cvv_epochs');
      deleteAllBut(keys, new Set(remainingRows.map(({ id }) => id)));
      return deletedRows.length;
    },
  };
}

/** Context that binds an epoch's wrapped key. */
export const epochContext = (mode: Mode, id: string): string => `cvv-epoch:${mode}:${id}`;

function deleteAllBut(keys: Map<string, Buffer>, keptIds: ReadonlySet<string>): void {
  for (const [id, key] of keys) {
    if (keptIds.has(id)) continue;
    key.fill(0);
    keys.delete(id);
  }
}

async function findNewestEpoch(db: Db, mode: Mode, now: number): Promise<WrappedEpoch | undefined> {
  const [row] = await db.query<WrappedEpoch>(
    `select id, root_version, wrapped from vault.cvv_epochs
     where mode = $1 and opened_at > $2 order by opened_at desc, id limit 1`,
    [mode, new Date(now - EPOCH_MS)],
    'newest-cvv-epoch',
  );
  return row;
}

async function openEpoch({ db, rootKeys, clock }: EpochDeps, mode: Mode): Promise<WrappedEpoch> {
  const id = randomUUID();
  const { root_version, wrapped } = await rootKeys.generate(epochContext(mode, id));
  const now = clock();
  await db.query(
    `insert into vault.cvv_epochs (id, mode, root_version, wrapped, opened_at, destroy_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [id, mode, root_version, wrapped, new Date(now), new Date(now + EPOCH_MS + CVV_LIFE_MS)],
  );
  return { id, root_version, wrapped };
}
