import { stateTableOf } from '@florin/contract/machines/all.ts';
import { nextState } from '@florin/contract/machines/define-machine.ts';
import { type NewEvent, writeEvents } from '../outbox/events.ts';
import { instantText, microsOf } from '../time/clock.ts';
import { type Catalog, recordset, type Table } from './catalog.ts';
import type { Db } from './db.ts';
import type { Row } from './row.ts';
import { createStatementNames } from './statement-names.ts';

/** Names one row of a tenant table. */
export interface RowKey {
  readonly merchant_id: string;
  readonly id: string;
}

/** The key of a row that was read. */
export const keyOf = ({ merchant_id, id }: Row): RowKey => ({
  merchant_id: merchant_id as string,
  id: id as string,
});

/** Keys as the two arrays that `unnest` makes rows of again. */
export const keyColumns = (keys: readonly RowKey[]): [string[], string[]] => [
  keys.map(({ merchant_id }) => merchant_id),
  keys.map(({ id }) => id),
];

export const keyText = (key: { merchant_id?: string | null; id?: string | null }): string =>
  `${key.merchant_id} ${key.id}`;

/** The key that `keyText` wrote. */
export function keyOfText(text: string): RowKey {
  const [merchant_id = '', id = ''] = text.split(' ');
  return { merchant_id, id };
}

/**
 * How a row is locked. `change` lets others store rows that point to it, which would otherwise wait and, having
 * locked some of theirs already, could wait in a circle; `reference` keeps them off.
 */
export type LockStrength = 'change' | 'reference';

const strengths: Readonly<Record<LockStrength, string>> = {
  change: 'no key update',
  reference: 'update',
};

/** Locks rows in the order of their keys, so that two batches never wait for each other in a circle. */
export async function lockRows(
  tx: Db,
  table: string,
  keys: readonly RowKey[],
  strength: LockStrength = 'change',
): Promise<Map<string, Row>> {
  const rows = await tx.query(
    `select * from ${table} where (merchant_id, id) in (select * from unnest($1::uuid[], $2::uuid[]))
     order by merchant_id, id for ${strengths[strength]}`,
    keyColumns(keys),
    `lock_${table}_${strength}`,
  );
  return new Map(rows.map((row) => [keyText(row), row]));
}

/** Locks the rows that nobody else has locked, and waits for none: in whatever order, this makes no circle. */
export async function lockFreeRows(
  tx: Db,
  table: string,
  keys: readonly RowKey[],
): Promise<Map<string, Row>> {
  if (keys.length === 0) return new Map();
  const rows = await tx.query(
    `select * from ${table} where (merchant_id, id) in (select * from unnest($1::uuid[], $2::uuid[]))
     for no key update skip locked`,
    keyColumns(keys),
    `lock_free_${table}`,
  );
  return new Map(rows.map((row) => [keyText(row), row]));
}

/** A change of a locked row: a trigger of its machine, or none where the state stays, and columns to set. */
export interface Change {
  readonly before: Row;
  readonly trigger?: string;
  readonly set: Row;
  /** `updated_at`, and with it the record's tag, stays: nothing changes that a client would write over. Without a trigger only. */
  readonly unseen?: boolean;
}

/** The machine does not allow the trigger in the row's state. */
export class IllegalTransitionError extends Error {
  override name = 'IllegalTransitionError';
}

export interface TransitionOptions {
  /** Of a table without a machine no change has a trigger. */
  readonly table: string;
  /** Becomes `updated_at` of every changed row, or else the first instant after the row's own. */
  readonly at: string;
  /** The events that tell of a change, made from the row after it. */
  readonly eventsOf?: (change: Change, after: Row) => readonly NewEvent[];
}

/**
 * The one writer of states: applies changes to rows that the caller has locked, and stores their
 * events, in the caller's transaction. Returns the rows as they are afterwards.
 */
export async function transition(
  tx: Db,
  catalog: Catalog,
  options: TransitionOptions,
  changes: readonly Change[],
): Promise<Row[]> {
  if (changes.length === 0) return [];
  const table = catalog(options.table);
  const after = changes.map((change) => rowAfter(options, change));
  await tx.query(...updateOf(table, changes, after));
  const { eventsOf } = options;
  if (eventsOf) {
    await writeEvents(
      tx,
      catalog,
      changes.flatMap((change, at) => eventsOf(change, after[at] as Row)),
    );
  }
  return after;
}

/** A row as a change leaves it: for `transition`, and for rows that are stored only once it is made. */
export function rowAfter({ table, at }: TransitionOptions, change: Change): Row {
  const { before, trigger, set, unseen } = change;
  if (trigger === undefined && unseen) return { ...before, ...set };
  const updated_at = laterThan(before.updated_at, at);
  if (trigger === undefined) return { ...before, ...set, updated_at };
  const state = before.status as string;
  const machine = stateTableOf(table)?.machine;
  const next = machine && nextState(machine, state, trigger);
  if (next === undefined) {
    throw new IllegalTransitionError(`${table} in state ${state} do not take ${trigger}`);
  }
  return { ...before, ...set, status: next, updated_at };
}

/** Clients order changes by this time, and tags name states by it: it moves, even where clocks differ or stand still. */
function laterThan(before: string | null | undefined, at: string): string {
  const earlier = before ? microsOf(before) : Number.NEGATIVE_INFINITY;
  return microsOf(at) > earlier ? at : instantText(earlier + 1);
}

/** As many shapes as there are sets of columns that change together. */
const nameOf = createStatementNames();

/** One UPDATE for all rows; a row that leaves one of the columns alone writes back what it had. */
function updateOf(
  table: Table,
  changes: readonly Change[],
  after: readonly Row[],
): [string, unknown[], string | undefined] {
  const touched = new Set([
    'status',
    'updated_at',
    ...changes.flatMap(({ set }) => Object.keys(set)),
  ]);
  const columns = table.columns.filter((column) => touched.has(column));
  const rows = after.map((row) =>
    Object.fromEntries(
      ['merchant_id', 'id', ...columns].map((column) => [column, row[column] ?? null]),
    ),
  );
  const sql = `update ${table.name} t set ${columns.map((column) => `${column} = i.${column}`).join(', ')}
    from json_populate_recordset(null::${table.name}, $1::json) i
    where t.merchant_id = i.merchant_id and t.id = i.id`;
  return [sql, [recordset(table, rows)], nameOf(sql)];
}

/** A row that was changed. */
export interface Changed {
  readonly before: Row;
  readonly after: Row;
}
