import type { Db } from '../../../platform/database/db.ts';
import { servedHere } from '../../../platform/database/installation/stopped.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { StopState } from '../../../services.ts';

/** All stopped merchants of a cell. */
export const readStops = (db: Db): Promise<Row[]> =>
  db.query(
    'select merchant_id, state, other_cell from stopped_merchants',
    [],
    'stopped_merchants',
    'kept',
  );

export async function findStop(db: Db, merchant_id: string): Promise<Row | undefined> {
  const [row] = await db.query('select * from stopped_merchants where merchant_id = $1', [
    merchant_id,
  ]);
  return row;
}

export interface NewStop {
  readonly merchant_id: string;
  readonly move_id: string;
  readonly state: StopState;
  /** Name of the other cell. */
  readonly other_cell: string;
  readonly at: string;
}

/** Stops a merchant in a cell, or changes its state. */
export const storeStop = (
  db: Db,
  { merchant_id, move_id, state, other_cell, at }: NewStop,
): Promise<unknown> =>
  db.query(
    `insert into stopped_merchants (merchant_id, move_id, state, other_cell, since) values ($1, $2, $3, $4, $5)
     on conflict (merchant_id) do update set (move_id, state, other_cell, since, by_restore) =
       (excluded.move_id, excluded.state, excluded.other_cell, excluded.since, false)`,
    [merchant_id, move_id, state, other_cell, at],
  );

/** Serves a merchant again whom this move has stopped in one of these states. */
export const deleteStop = (
  db: Db,
  { merchant_id, move_id }: Pick<NewStop, 'merchant_id' | 'move_id'>,
  states: readonly StopState[],
): Promise<unknown> =>
  db.query(
    `delete from stopped_merchants where merchant_id = $1 and move_id = $2 and state = any ($3::text[])`,
    [merchant_id, move_id, states],
  );

/** Ids of merchants that no stop keeps for another cell, in their order. */
export async function readServedMerchants(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = await db.query(
    `select id from merchants where id > $1 and ${servedHere('id')} order by id limit $2`,
    [after, limit],
    'served_merchants',
  );
  return rows.map(({ id }) => id as string);
}

/** Ids of the merchants that the cell has, without those that it stopped as moved. */
export async function readPresentMerchants(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db.query(
    `select m.id from merchants m where m.id = any ($1::uuid[]) and not exists
       (select from stopped_merchants s where s.merchant_id = m.id and s.state = 'moved')`,
    [ids],
    'present_merchants',
  );
  return rows.map(({ id }) => id as string);
}

/**
 * Stops merchants that other cells have, named by `name`. A stop that has only begun becomes `moved`. Returns the number
 * of stops.
 */
export async function storeMovedStops(
  db: Db,
  moved: readonly Row[],
  { move_id, at }: Pick<NewStop, 'move_id' | 'at'>,
): Promise<number> {
  const rows = await db.query(
    `insert into stopped_merchants as s (merchant_id, move_id, state, other_cell, since, by_restore)
     select merchant_id, $3::uuid, 'moved', name, $4::timestamptz, true
     from unnest($1::uuid[], $2::text[]) m (merchant_id, name)
     on conflict (merchant_id) do update set (state, other_cell, since, by_restore) =
         (excluded.state, excluded.other_cell, excluded.since, true)
       where s.state in ('leaving', 'fenced')
     returning 1`,
    [moved.map((row) => row.merchant_id), moved.map((row) => row.name), move_id, at],
    'store_moved_stops',
  );
  return rows.length;
}

/** Merchant of a payment link that the cell has. */
export async function merchantOfCode(db: Db, code: string): Promise<string | undefined> {
  const [row] = await db.query(
    'select merchant_id from payment_links where code = $1',
    [code],
    'merchant_of_link_code',
  );
  return row?.merchant_id ?? undefined;
}

/** Deletes stops of merchants whose rows have left before this time. Returns the number deleted. */
export async function pruneStops(db: Db, before: string, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from stopped_merchants where merchant_id = any (array(select s.merchant_id from stopped_merchants s
       where s.state = 'moved' and s.since <= $1
         and not exists (select from merchants m where m.id = s.merchant_id) limit $2)) returning 1`,
    [before, limit],
    'prune_stopped_merchants',
  );
  return rows.length;
}
