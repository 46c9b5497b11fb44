import { isConnectionError } from '../../kernel/batcher.ts';
import type { Db } from '../../store/db.ts';
import type { Row } from '../../store/row.ts';
import { createStatementNames } from '../../store/statement-names.ts';
import type { Statement } from './parameters.ts';
import { createTurns } from './turns.ts';

/** Runs a statement that reads, in its merchant's turn; once more where the connection breaks. */
export type Run = (statement: Statement) => Promise<Row[]>;

/** Statements that are sent again and again are prepared; those of one merchant take turns. */
export function createRun(db: Db): Run {
  const nameOf = createStatementNames();
  const inTurn = createTurns();
  return ({ sql, values, merchant_id }) => {
    const name = nameOf(sql);
    const read = () => db.query(sql, values, name);
    const twice = () =>
      read().catch((error) => (isConnectionError(error) ? read() : Promise.reject(error)));
    return merchant_id === undefined ? twice() : inTurn(merchant_id, twice);
  };
}
