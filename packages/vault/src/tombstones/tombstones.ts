import { join } from 'node:path';
import { destroyKeks } from '../cards/destroy-keks.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/logger.ts';
import type { Keks } from '../keys/keks.ts';
import type { VaultSelf } from '../keys/vaults.ts';
import type { Database, Db } from '../store/db.ts';
import {
  appendTombstone,
  listTombstoneFiles,
  readTombstones,
  removeOldFiles,
  type Tombstone,
} from './tombstone-file.ts';

/** Destroyed cards and merchants, in files beside the root keys. A backup of the database does not have them. */
export interface Tombstones {
  /** Records what is about to be destroyed. Resolves once it survives a crash and a restore. */
  add(tombstone: Tombstone): Promise<void>;
  /** Destroys again what a restored database still has. */
  apply(): Promise<void>;
}

export interface TombstoneDeps {
  readonly db: Database;
  readonly keks: Keks;
  readonly clock: Clock;
  readonly log: Log;
  readonly self: VaultSelf;
}

/** Opens the tombstones of a directory. */
export function createTombstones(deps: TombstoneDeps, directory: string): Tombstones {
  return {
    add: (tombstone) => appendTombstone(directory, tombstone, deps.clock()),
    async apply() {
      await removeOldFiles(directory, deps.clock());
      for (const name of await listTombstoneFiles(directory))
        await applyFile(deps, join(directory, name), name);
    },
  };
}

async function applyFile(deps: TombstoneDeps, path: string, name: string): Promise<void> {
  let place = await placeOf(deps, name);
  for (;;) {
    const slice = await readTombstones(path, place);
    if (!slice) return;
    const counts = { cards: 0, merchants: 0 };
    for (const tombstone of slice.tombstones.filter(({ kind }) => kind === 'merchant'))
      counts.merchants += Number(await destroyAgain(deps, tombstone));
    counts.cards = await deleteCards(deps.db, slice.tombstones);
    if (counts.cards + counts.merchants > 0) deps.log({ event: 'tombstones_applied', ...counts });
    if (slice.torn > 0) deps.log({ event: 'tombstones_torn', count: slice.torn });
    await storePlace(deps, name, slice.next);
    place = slice.next;
  }
}

async function placeOf({ db, self }: TombstoneDeps, file: string): Promise<number> {
  const [row] = await db.query<{ bytes: string }>(
    'select bytes::text from vault.tombstone_places where vault = $1 and file = $2',
    [self.name, file],
  );
  return Number(row?.bytes ?? 0);
}

const storePlace = ({ db, self }: TombstoneDeps, file: string, bytes: number) =>
  db.query(
    `insert into vault.tombstone_places (vault, file, bytes) values ($1, $2, $3)
     on conflict (vault, file) do update set bytes = excluded.bytes`,
    [self.name, file, bytes],
  );

async function destroyAgain(deps: TombstoneDeps, tombstone: Tombstone): Promise<boolean> {
  if (tombstone.kind !== 'merchant') return false;
  const isDestroyed = await destroyKeks(deps.db, tombstone, deps.clock(), tombstone.version);
  if (isDestroyed) deps.keks.clear();
  return isDestroyed;
}

/** Deletes the cards of tombstones, with their data keys. Returns how many there were. */
async function deleteCards(db: Db, tombstones: readonly Tombstone[]): Promise<number> {
  const cards = tombstones.filter((tombstone) => tombstone.kind === 'card');
  if (cards.length === 0) return 0;
  const deletedRows = await db.query(
    `delete from vault.cards card using unnest($1::text[], $2::text[], $3::text[]) as dead (merchant_id, mode, token)
     where card.merchant_id = dead.merchant_id and card.mode = dead.mode and card.token = dead.token
     returning card.token`,
    [
      cards.map(({ merchant_id }) => merchant_id),
      cards.map(({ mode }) => mode),
      cards.map(({ token }) => token),
    ],
  );
  return deletedRows.length;
}
