type Row = Readonly<Record<string, unknown>>;

/** Connection with one open transaction, or without one. SQL without values may have several statements. */
export interface Session {
  query(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/** Runs `work` in a transaction. Commits when `work` returns, rolls back when it throws. */
export type Transactions = <T>(work: (tx: Session) => Promise<T>) => Promise<T>;

/** Runs `work` on a connection of its own without a transaction, and closes the connection. */
export type Connected = <T>(work: (session: Session) => Promise<T>) => Promise<T>;
