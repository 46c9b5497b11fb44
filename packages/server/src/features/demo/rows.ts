import type { Row } from '../../platform/database/row.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { type Clock, instantText } from '../../platform/time/clock.ts';

/** Rows of one table. In a list of them each points to rows before it alone. */
export type TableRows = readonly [table: string, rows: readonly Row[]];

/** Whose rows they are. */
export interface Owner {
  readonly merchant_id: string;
  readonly mode: 'live' | 'sandbox';
  readonly clock: Clock;
}

/** A row with these columns and what every row has. A column that its table does not have is left out when it is stored. */
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
