import { codeOf } from '@florin/contract/database/fault.ts';
import type { Database, TransactionOptions } from '../database/db.ts';
import type { Row } from '../database/row.ts';

/** SQLSTATE of a statement that exceeded its time limit. */
const QUERY_CANCELED = '57014';

interface TimedStatement extends Pick<TransactionOptions, 'plans'> {
  readonly sql: string;
  readonly values: readonly unknown[];
  /** Name under which connections prepare the statement. */
  readonly name?: string;
  /** Time limit of the statement, in milliseconds. */
  readonly limit_ms: number;
}

/** Runs a statement that may take too long. Returns undefined if the statement reaches its time limit. */
export async function queryInTime(
  db: Pick<Database, 'transaction'>,
  { sql, values, name, limit_ms, plans }: TimedStatement,
): Promise<Row[] | undefined> {
  const options = { statement_timeout_ms: limit_ms, ...(plans && { plans }) };
  try {
    return await db.transaction((tx) => tx.query(sql, values, name), options);
  } catch (error) {
    if (codeOf(error) !== QUERY_CANCELED) throw error;
    return undefined;
  }
}
