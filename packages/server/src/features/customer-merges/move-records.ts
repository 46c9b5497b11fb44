import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { lockFreeRows } from '../../platform/database/transition.ts';
import { instantText, type Micros, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { applyDecisions, type DecidedChange } from '../records/apply-decisions.ts';
import { type MovedKind, movedKinds } from './moved-kinds.ts';
import { findRecordsOf } from './sql.ts';

/** Records of each kind that one transaction moves. */
export const SLICE_MAX = 500;

/** Customers of a merge. */
export interface MergedPair {
  readonly merchant_id: string;
  readonly source_id: string;
  readonly target_id: string;
}

/** Result of a slice. */
export interface Moved {
  /** Moved records by the merge's column. */
  readonly counts: Readonly<Record<string, number>>;
  /** Whether nothing is left. False too if another transaction has locked a record. */
  readonly is_done: boolean;
}

/** Start of the records of a kind that a merge moves, as an instant. */
export const sinceOf = ({ recent_s }: MovedKind, now: Micros): string =>
  instantText(recent_s === undefined ? 0 : now - seconds(recent_s));

/**
 * Moves at most `SLICE_MAX` records of each kind. Skips records that other transactions have locked: it never waits, so
 * that it cannot deadlock with payments.
 */
export async function moveRecords(
  services: Pick<Services, 'catalog' | 'models'>,
  tx: Db,
  pair: MergedPair,
  now: Micros,
): Promise<Moved> {
  const counts: Record<string, number> = {};
  let is_done = true;
  for (const kind of movedKinds) {
    const moved = await moveKind(services, tx, kind, pair, now);
    if (kind.count) counts[kind.count] = moved.count;
    is_done = is_done && moved.is_done;
  }
  return { counts, is_done };
}

async function moveKind(
  services: Pick<Services, 'catalog' | 'models'>,
  tx: Db,
  kind: MovedKind,
  pair: MergedPair,
  now: Micros,
): Promise<{ readonly count: number; readonly is_done: boolean }> {
  const source = { merchant_id: pair.merchant_id, id: pair.source_id };
  const keys = await findRecordsOf(tx, kind, source, SLICE_MAX, sinceOf(kind, now));
  const rows = [...(await lockFreeRows(tx, kind.table, keys)).values()];
  const changes = rows.map((before) => moveOne(kind, pair, before)).filter(isChanged);
  await applyDecisions(services, tx, kind.table, now, changes);
  return { count: changes.length, is_done: rows.length === keys.length && keys.length < SLICE_MAX };
}

function moveOne(
  { columns, eventsOf, internal }: MovedKind,
  { source_id, target_id }: MergedPair,
  before: Row,
): DecidedChange {
  const moved = columns.filter((column) => before[column] === source_id);
  const set = Object.fromEntries(moved.map((column) => [column, target_id]));
  return { before, set, events: eventsOf(before), ...(internal && { internal }) };
}

/** Another transaction may have changed the customer before the lock. */
const isChanged = ({ set }: DecidedChange): boolean => Object.keys(set).length > 0;
