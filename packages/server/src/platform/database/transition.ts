import { stateTableOf } from '@florin/contract/machines/all.ts';
import { nextState } from '@florin/contract/machines/define-machine.ts';
import { instantText, microsOf } from '../time/clock.ts';
import { type Catalog, recordsetOf, type Table } from './catalog.ts';
import type { Db } from './db.ts';
import type { Row } from './row.ts';
import { keyColumns, keyText, type RowKey } from './row-key.ts';
import { createStatementNames } from './statement-names.ts';

/**
 * Strength of a row lock. `change` lets others insert rows that reference this row, since waiting for that
 * could deadlock. `reference` blocks such inserts. `keep` only prevents that the row is deleted.
 */
export type LockStrength = 'change' | 'reference' | 'keep';

const strengths: Readonly<Record<LockStrength, string>> = {
  change: 'no key update',
  reference: 'update',
  keep: 'key share',
};

/** Locks rows in key order, so that batches never deadlock. */
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

/** Locks free rows and skips locked ones, so any order is free of deadlocks. */
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

/** Change of a locked row: columns to set, and a trigger of the state machine if the state changes. */
export interface Change {
  readonly before: Row;
  readonly trigger?: string;
  readonly set: Row;
  /** Keeps `updated_at`, and so the entity tag: clients see no change. Only without a trigger. */
  readonly internal?: boolean;
}

export class IllegalTransitionError extends Error {
  override name = 'IllegalTransitionError';
}

export interface TransitionOptions {
  /** Table of the rows. Without a state machine in the table, changes have no trigger. */
  readonly table: string;
  /** New `updated_at` of the changed rows; never earlier than the microsecond after the previous one. */
  readonly at: string;
}

/**
 * The only writer of states. Applies changes to rows that the caller has locked, in the caller's transaction.
 * Returns the changed rows.
 */
export async function transition(
  tx: Db,
  catalog: Catalog,
  options: TransitionOptions,
  changes: readonly Change[],
): Promise<Row[]> {
  if (changes.length === 0) return [];
  const table = catalog(options.table);
  const changedRows = changes.map((change) => rowAfter(options, change));
  await tx.query(...updateOf(table, changes, changedRows));
  return changedRows;
}

/** The row after a change, for `transition` and for rows that are first stored after the change. */
export function rowAfter({ table, at }: TransitionOptions, change: Change): Row {
  const { before, trigger, set, internal } = change;
  if (trigger === undefined && internal) return { ...before, ...set };
  const updated_at = nextUpdateTime(before.updated_at, at);
  if (trigger === undefined) return { ...before, ...set, updated_at };
  const state = before.status as string;
  const machine = stateTableOf(table)?.machine;
  const nextStatus = machine && nextState(machine, state, trigger);
  if (nextStatus === undefined) {
    throw new IllegalTransitionError(`${table} in state ${state} do not take ${trigger}`);
  }
  return { ...before, ...set, status: nextStatus, updated_at };
}

/** Clients order changes by this time, and entity tags contain it. So times must grow even if clocks differ. */
function nextUpdateTime(previous: string | null | undefined, at: string): string {
  const previousMicros = previous ? microsOf(previous) : Number.NEGATIVE_INFINITY;
  return microsOf(at) > previousMicros ? at : instantText(previousMicros + 1);
}

/** Names one statement per set of columns that change together. */
const nameOf = createStatementNames();

/** One UPDATE for all rows. A row without a value for a column keeps its own. */
function updateOf(
  table: Table,
  changes: readonly Change[],
  changedRows: readonly Row[],
): [string, unknown[], string | undefined] {
  const touchedColumns = new Set([
    'status',
    'updated_at',
    ...changes.flatMap(({ set }) => Object.keys(set)),
  ]);
  const columns = table.columns.filter((column) => touchedColumns.has(column));
  const rows = changedRows.map((row) =>
    Object.fromEntries(
      ['merchant_id', 'id', ...columns].map((column) => [column, row[column] ?? null]),
    ),
  );
  const sql = `update ${table.name} t set ${columns.map((column) => `${column} = i.${column}`).join(', ')}
    from json_populate_recordset(null::${table.name}, $1::json) i
    where t.merchant_id = i.merchant_id and t.id = i.id`;
  return [sql, [recordsetOf(table, rows)], nameOf(sql)];
}

/** A changed row. */
export interface ChangedRow {
  readonly before: Row;
  readonly after: Row;
}
