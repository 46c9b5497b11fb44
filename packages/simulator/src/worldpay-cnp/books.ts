import type { DatabaseSync } from 'node:sqlite';
import { openBooks, type StandInBooks } from '../stand-in/open-books.ts';
import type { CnpSettings } from './accounts.ts';
import {
  CNP_TRANSACTION_SCHEMA,
  type CnpTransactionBooks,
  createCnpTransactionBooks,
} from './transaction-books.ts';

interface CnpParts {
  readonly transactions: CnpTransactionBooks;
}

/** Durable books of the stand-in: one SQLite file. Functions that write run inside a commit. */
export type CnpBooks = StandInBooks<CnpSettings> & CnpParts;

const SCHEMAS = [CNP_TRANSACTION_SCHEMA];

/** Opens the books in a directory and creates them if necessary. Throws if another process has them open. */
export const openCnpBooks = (dataDir: string): CnpBooks =>
  openBooks(dataDir, 'worldpay-cnp.sqlite', SCHEMAS, createParts);

const createParts = (db: DatabaseSync): CnpParts => ({
  transactions: createCnpTransactionBooks(db),
});
