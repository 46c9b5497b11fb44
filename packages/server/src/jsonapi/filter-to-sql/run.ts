import { createHash } from 'node:crypto';
import { problem } from '@florin/contract/errors.ts';
import { isConnectionError } from '../../kernel/batcher.ts';
import type { Db } from '../../store/db.ts';
import type { Row } from '../../store/row.ts';
import type { Statement } from './parameters.ts';

/** Runs statements that read, those of a shape seen before as prepared ones; once more where the connection breaks. */
export type Run = (db: Db, statement: Statement) => Promise<Row[]>;

/** Each connection keeps every statement it has prepared, so there is an end to how many shapes get a name. */
const PREPARED_MAX = 500;

/** Keeps the names of prepared statements, for all connections alike. */
export function createRun(): Run {
  const names = new Map<string, string>();
  return (db, { sql, values }) => {
    let name = names.get(sql);
    if (name === undefined && names.size < PREPARED_MAX) {
      name = `q_${createHash('sha256').update(sql).digest('hex').slice(0, 16)}`;
      names.set(sql, name);
    }
    const read = () => db.query(sql, values, name);
    return read()
      .catch((error) => (isConnectionError(error) ? read() : Promise.reject(error)))
      .catch(refuseIfTooSlow);
  };
}

/** SQLSTATE of a statement that ran into the statement timeout. */
const QUERY_CANCELED = '57014';

function refuseIfTooSlow(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === QUERY_CANCELED) {
    throw problem(
      'query_too_costly',
      'The query took too long. Filter by fewer or by indexed attributes.',
      undefined,
      { cause: error },
    );
  }
  throw error;
}
