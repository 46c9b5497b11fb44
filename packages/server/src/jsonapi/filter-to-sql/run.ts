import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { createStatementNames } from '../../platform/database/statement-names.ts';
import type { Statement } from './parameters.ts';
import { createReadLimit } from './read-limits.ts';

/** Runs a read statement under its merchant's concurrency limit. */
export type Run = (statement: Statement) => Promise<Row[]>;

/** Prepares repeated statements. Statements of one merchant share a concurrency limit. */
export function createRun(db: Db): Run {
  const nameOf = createStatementNames();
  const limitRead = createReadLimit();
  return ({ sql, values, merchant_id }) => {
    const name = nameOf(sql);
    const read = () => db.query(sql, values, name);
    return merchant_id === undefined ? read() : limitRead(merchant_id, read);
  };
}
