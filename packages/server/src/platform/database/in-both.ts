import type { Database, Db } from './db.ts';

/** Database of a cell, and that of people: one object, unless people are apart. */
export interface CellDatabases {
  readonly db: Database;
  readonly global: Database;
}

/** Whether people are in another database than the merchants of `db`. */
export const hasPeopleApart = ({
  db,
  global,
}: Readonly<Record<keyof CellDatabases, unknown>>): boolean => db !== global;

/** Transactions of a change of both databases, which are one where the databases are one. */
export interface BothTransactions {
  readonly cell: Db;
  readonly global: Db;
}

/**
 * Runs `work` in one transaction. Where people are apart, there are two, and that of the global database commits first.
 * A crash may prevent the second commit, so the first one must be harmless alone.
 */
export const inBoth = <T>(
  { db, global }: CellDatabases,
  work: (both: BothTransactions) => Promise<T>,
): Promise<T> =>
  hasPeopleApart({ db, global })
    ? db.transaction((cell) => global.transaction((tx) => work({ cell, global: tx })))
    : db.transaction((tx) => work({ cell: tx, global: tx }));

/**
 * Like `inBoth`, for work loops: waits for the global database before it takes a connection of the cell, whose other
 * work then continues. The cell commits first, so its changes must be harmless alone.
 */
export const inBothGlobalFirst = <T>(
  { db, global }: CellDatabases,
  work: (both: BothTransactions) => Promise<T>,
): Promise<T> =>
  hasPeopleApart({ db, global })
    ? global.transaction((tx) => db.transaction((cell) => work({ cell, global: tx })))
    : inBoth({ db, global }, work);
