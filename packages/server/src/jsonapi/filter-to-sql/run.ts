import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { createStatementNames } from '../../platform/database/statement-names.ts';
import type { Statement } from './parameters.ts';
import { createTurns } from './turns.ts';

/** Runs a statement that reads, in its merchant's turn. */
export type Run = (statement: Statement) => Promise<Row[]>;

/** Statements that are sent again and again are prepared; those of one merchant take turns. */
export function createRun(db: Db): Run {
  const nameOf = createStatementNames();
  const inTurn = createTurns();
  return ({ sql, values, merchant_id }) => {
    const name = nameOf(sql);
    const read = () => db.query(sql, values, name);
    return merchant_id === undefined ? read() : inTurn(merchant_id, read);
  };
}
