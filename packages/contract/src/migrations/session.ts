type Row = Readonly<Record<string, unknown>>;

/** Connection of one transaction. Text without values may hold several statements. */
export interface Session {
  query(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/** Runs `work` in its own transaction: commits when it returns, rolls back when it throws. */
export type Transactions = <T>(work: (tx: Session) => Promise<T>) => Promise<T>;
