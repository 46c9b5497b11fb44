import { type Client, type Connections, firstOn, READ_TRIES } from './connections.ts';
import { isConnectionError } from './fault.ts';

interface Session {
  query(sql: string, values: readonly unknown[]): Promise<unknown>;
}

export interface TransactionParts<C, Tx> {
  /** Sends the first statement. Must only read: after an error, a second connection repeats it. */
  readonly begin: (client: C) => Promise<unknown>;
  readonly sessionOn: (client: C) => Tx;
  /**
   * Whether to close the connection after the transaction. `error` is the transaction's error, if
   * any.
   */
  readonly isUnusable?: (client: C, error: unknown) => boolean;
}

/**
 * Runs `work` in one transaction. Commits when `work` returns, rolls back when it throws. Never
 * repeats `work`.
 */
export async function inTransaction<C extends Client, Tx extends Session, T>(
  connections: Connections<C>,
  { begin, sessionOn, isUnusable = () => false }: TransactionParts<C, Tx>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { client } = await firstOn(connections, begin, READ_TRIES);
  const tx = sessionOn(client);
  let failure: unknown;
  let closeReason: Error | undefined;
  try {
    const result = await work(tx);
    await tx.query('commit', []);
    return result;
  } catch (error) {
    failure = error;
    closeReason = await rollBack(tx, error as Error);
    throw error;
  } finally {
    connections.release(client, closeReason ?? isUnusable(client, failure));
  }
}

/**
 * Rolls back, unless the connection does not respond. Returns the reason to close the connection,
 * if any.
 */
async function rollBack(tx: Session, error: Error): Promise<Error | undefined> {
  if (isConnectionError(error)) return error;
  return tx.query('rollback', []).then(
    () => undefined,
    (cause: Error) => cause,
  );
}
