import { rewrapDek } from '../cards/record.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Scope } from '../kernel/scope.ts';
import { WRAPPED_KEY_BYTES } from '../keys/aead.ts';
import type { Kek, Keks, WrappedKek } from '../keys/keks.ts';
import type { Database, Db } from '../store/db.ts';

/** Rows of one transaction: a few milliseconds of this process at a time. */
const BATCH_ROWS = 2_000;
/** How long a replaced key is kept for what was being sealed with it. */
export const REPLACED_KEK_GRACE_MS = 60 * 60 * 1000;

export interface RewrapDeps {
  readonly db: Database;
  readonly keks: Keks;
  readonly clock: Clock;
}

/** What one batch did. */
export interface RewrapStep {
  readonly rewrapped: number;
  /** Records whose data key does not open, which stay as they are. */
  readonly unreadable: number;
  readonly done: boolean;
}

interface NewestKek extends WrappedKek {
  readonly rewrap_cursor: string | null;
}

/** A data key under the newest key, and where its row is. */
interface FreshKey {
  readonly place: string;
  readonly wrapped_dek: Buffer;
}

interface CardKey extends FreshKey {
  readonly token: string;
  readonly kek_version: number;
}

interface CardAt extends CardKey {
  /** As the database writes it, which is finer than a `Date`. */
  readonly created_at: string;
}

/** Where a card stands in the order of a rotation. */
const cursorAt = (card: CardAt | undefined): string | null =>
  card ? `${card.created_at} ${card.token}` : null;

/**
 * Puts the data keys of the next records under their merchant's newest key. The place it has come to is committed with
 * the records, so that a process that dies goes on where it was, and two at once take turns. No card is decrypted.
 */
export const rewrapCards = (deps: RewrapDeps, scope: Scope): Promise<RewrapStep> =>
  deps.db.transaction(async (tx) => {
    await planByIndex(tx);
    const newest = await lockNewest(tx, scope);
    const cursor = newest?.rewrap_cursor ?? null;
    if (!newest || cursor === null) return { rewrapped: 0, unreadable: 0, done: true };
    const cards = await cardsAfter(tx, scope, newest.version, cursor);
    const fresh = await rewrapAll(deps, tx, scope, { newest, cards });
    await store(tx, newest.version, fresh);
    const done = cards.length < BATCH_ROWS;
    await moveCursor(tx, scope, newest.version, done ? null : cursorAt(cards.at(-1)));
    if (done) await replaceOlder(tx, scope, newest.version, deps.clock());
    return { rewrapped: fresh.length, unreadable: cards.length - fresh.length, done };
  });

/**
 * Statistics are never of this moment while a rotation rewrites a table, and a plan that reads all of it or sorts it takes
 * longer than a statement may, once for every batch.
 */
const planByIndex = (tx: Db): Promise<unknown> =>
  tx.query(
    `select set_config('enable_' || name, 'off', true)
     from unnest(array['seqscan', 'bitmapscan', 'sort', 'hashjoin', 'mergejoin']) name`,
    [],
    'plan-by-index',
  );

/** This strength of lock lets cards be stored under the key meanwhile. */
async function lockNewest(tx: Db, scope: Scope): Promise<NewestKek | undefined> {
  const [row] = await tx.query<NewestKek>(
    `select version, root_version, wrapped, rewrap_cursor from vault.keks
     where merchant_id = $1 and mode = $2 and destroyed_at is null
     order by version desc limit 1 for no key update`,
    [scope.merchant_id, scope.mode],
  );
  return row;
}

function cardsAfter(
  tx: Db,
  { merchant_id, mode }: Scope,
  version: number,
  cursor: string,
): Promise<CardAt[]> {
  const split = cursor.lastIndexOf(' ');
  const [created_at, token] = [cursor.slice(0, split), cursor.slice(split + 1)];
  return tx.query(
    `select ctid::text as place, created_at::text, token, kek_version, wrapped_dek from vault.cards card
     where merchant_id = $1 and mode = $2 and (created_at, token) > ($4::timestamptz, $5)
       and kek_version < $3
     order by card.created_at, card.token limit ${BATCH_ROWS} for no key update`,
    [merchant_id, mode, version, cursor === '' ? '-infinity' : created_at, token],
    'cards-to-rewrap',
  );
}

async function rewrapAll(
  { keks }: RewrapDeps,
  tx: Db,
  scope: Scope,
  { newest, cards }: { readonly newest: NewestKek; readonly cards: readonly CardKey[] },
): Promise<FreshKey[]> {
  const to = await keks.unwrap(scope, newest);
  const older = await olderKeks(tx, keks, scope, newest.version);
  return cards.flatMap(({ place, token, kek_version, wrapped_dek }) => {
    try {
      const from = older.get(kek_version);
      if (!from) return [];
      const ref = { ...scope, token, purpose: 'pan' } as const;
      return [{ place, wrapped_dek: rewrapDek(from, to, ref, wrapped_dek) }];
    } catch {
      return [];
    }
  });
}

async function olderKeks(
  tx: Db,
  keks: Keks,
  scope: Scope,
  version: number,
): Promise<ReadonlyMap<number, Kek>> {
  const rows = await tx.query<WrappedKek>(
    `select version, root_version, wrapped from vault.keks
     where merchant_id = $1 and mode = $2 and version < $3 and destroyed_at is null`,
    [scope.merchant_id, scope.mode, version],
  );
  const opened = await Promise.all(rows.map((row) => keks.unwrap(scope, row)));
  return new Map(opened.map((kek) => [kek.version, kek]));
}

async function store(tx: Db, version: number, cards: readonly FreshKey[]): Promise<void> {
  if (cards.length === 0) return;
  // One value of many equal pieces is read and written at a fraction of the cost of many values. The rows are locked, so
  // that their places hold; found by those, they are found without any index.
  await tx.query(
    `update vault.cards card
     set kek_version = $1, wrapped_dek = substring($3::bytea from ($4::int * (fresh.at::int - 1) + 1) for $4::int)
     from unnest($2::tid[]) with ordinality as fresh (place, at) where card.ctid = fresh.place`,
    [
      version,
      cards.map(({ place }) => place),
      Buffer.concat(cards.map(({ wrapped_dek }) => wrapped_dek)),
      WRAPPED_KEY_BYTES,
    ],
    'store-rewrapped',
  );
}

const moveCursor = (
  tx: Db,
  { merchant_id, mode }: Scope,
  version: number,
  cursor: string | null,
): Promise<unknown> =>
  tx.query(
    'update vault.keks set rewrap_cursor = $4 where merchant_id = $1 and mode = $2 and version = $3',
    [merchant_id, mode, version, cursor],
  );

const replaceOlder = (
  tx: Db,
  { merchant_id, mode }: Scope,
  version: number,
  now: number,
): Promise<unknown> =>
  tx.query(
    `update vault.keks set destroy_at = $4
     where merchant_id = $1 and mode = $2 and version < $3 and destroyed_at is null`,
    [merchant_id, mode, version, new Date(now + REPLACED_KEK_GRACE_MS)],
  );
