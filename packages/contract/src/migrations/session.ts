type Row = Readonly<Record<string, unknown>>;

/** The connection of one transaction. Without values the text may hold several statements. */
export interface Session {
  query(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/** Runs `work` in a transaction of its own: committed when it returns, rolled back when it throws. */
export type Transactions = <T>(work: (tx: Session) => Promise<T>) => Promise<T>;
