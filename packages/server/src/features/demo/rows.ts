import type { Row } from '../../platform/database/row.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { type Clock, instantText } from '../../platform/time/clock.ts';

/** Rows of one table. In a list, rows only reference earlier ones. */
export type TableRows = readonly [table: string, rows: readonly Row[]];

/** Scope of the rows. */
export interface Owner {
  readonly merchant_id: string;
  readonly mode: 'live' | 'sandbox';
  readonly clock: Clock;
}

/** A row with these columns and the common ones. Unknown columns are left out when it is stored. */
export type MakeRow = (columns: Row) => Row;

export function rowMaker({ merchant_id, mode, clock }: Owner): MakeRow {
  const at = instantText(clock.now());
  return (columns) => ({
    merchant_id,
    mode,
    id: uuidv7(clock.now()),
    created_at: at,
    updated_at: at,
    ...columns,
  });
}
