import type { Row } from '../../platform/database/row.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { type Clock, instantText } from '../../platform/time/clock.ts';

/** Rows of one table. In a list, rows reference earlier rows only. */
export type TableRows = readonly [table: string, rows: readonly Row[]];

/** Merchant and mode of the rows. */
export interface Owner {
  readonly merchant_id: string;
  readonly mode: 'live' | 'sandbox';
  readonly clock: Clock;
}

/**
 * Makes a row of these columns and the common ones. The writer ignores columns that the table does
 * not have.
 */
export type MakeRow = (columns: Row) => Row;

export function createRowMaker({ merchant_id, mode, clock }: Owner): MakeRow {
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
