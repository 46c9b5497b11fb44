import { join } from 'node:path';
import type { Audit } from '../audit/audit.ts';
import { destroyKeks, findKekVersion } from '../cards/destroy-keks.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/logger.ts';
import type { Fingerprints } from '../keys/fingerprints.ts';
import type { Keks } from '../keys/keks.ts';
import type { VaultSelf } from '../keys/vaults.ts';
import type { Database } from '../store/db.ts';
import { deleteRewrapped, hasRewrappedCards } from './rewrapped-cards.ts';
import {
  appendTombstone,
  type DatedTombstone,
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
  readonly keks: Pick<Keks, 'clear'>;
  readonly fingerprints: Pick<Fingerprints, 'clear'>;
  readonly audit: Pick<Audit, 'enqueue' | 'record'>;
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
    counts.cards = await deleteCardsAgain(deps, slice.tombstones);
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

/** Each repeated destruction has its entry first, as each destruction. */
const AGAIN = { actor: 'schedule', outcome: 'requested: again, by tombstone' } as const;

async function destroyAgain(deps: TombstoneDeps, tombstone: DatedTombstone): Promise<boolean> {
  if (tombstone.kind !== 'merchant') return false;
  const { merchant_id, mode, version, at } = tombstone;
  const current = await findKekVersion(deps.db, tombstone, version);
  const hasRewrapped = at !== undefined && (await hasRewrappedCards(deps.db, { ...tombstone, at }));
  if (current === undefined && !hasRewrapped) return false;
  await deps.audit.record({ ...AGAIN, verb: 'destroy_merchant', merchant_id, mode });
  const isDestroyed = await destroyKeks(deps.db, tombstone, deps.clock(), version);
  if (isDestroyed) deps.keks.clear();
  if (isDestroyed) deps.fingerprints.clear();
  const deletedCount = at === undefined ? 0 : await deleteRewrapped(deps.db, { ...tombstone, at });
  return isDestroyed || deletedCount > 0;
}

type CardTombstone = Extract<Tombstone, { kind: 'card' }>;

/** Deletes the cards of tombstones, with their data keys. Returns how many there were. */
async function deleteCardsAgain(
  { db, audit }: TombstoneDeps,
  tombstones: readonly Tombstone[],
): Promise<number> {
  const dead = tombstones.filter((tombstone) => tombstone.kind === 'card');
  if (dead.length === 0) return 0;
  const cards = await db.query<CardTombstone>(
    `select card.merchant_id, card.mode, card.token ${FROM_DEAD}`,
    columnsOf(dead),
  );
  if (cards.length === 0) return 0;
  const entries = cards.map(({ merchant_id, mode, token }) => {
    const entry = { ...AGAIN, verb: 'destroy_card', merchant_id, mode, token };
    return entry;
  });
  // Recording the last entry stores those before it too.
  entries.slice(0, -1).forEach(audit.enqueue);
  for (const last of entries.slice(-1)) await audit.record(last);
  await db.query(
    `delete from vault.cards where (merchant_id, mode, token) in (
       select card.merchant_id, card.mode, card.token ${FROM_DEAD})`,
    columnsOf(dead),
  );
  return cards.length;
}

const FROM_DEAD = `from unnest($1::text[], $2::text[], $3::text[]) as dead (merchant_id, mode, token)
  join vault.cards card using (merchant_id, mode, token)`;

const columnsOf = (cards: readonly CardTombstone[]) => [
  cards.map(({ merchant_id }) => merchant_id),
  cards.map(({ mode }) => mode),
  cards.map(({ token }) => token),
];
