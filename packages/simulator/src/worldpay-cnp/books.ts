import type { DatabaseSync } from 'node:sqlite';
import {
  ACCOUNT_SCHEMA,
  type AccountBooks,
  createAccountBooks,
} from '../stand-in/account-books.ts';
import {
  CRYPTOGRAM_SCHEMA,
  type CryptogramBooks,
  createCryptogramBooks,
} from '../stand-in/cryptogram-books.ts';
import { openBooks, type StandInBooks } from '../stand-in/open-books.ts';
import type { CnpSettings } from './accounts.ts';
import {
  CNP_TRANSACTION_SCHEMA,
  type CnpTransactionBooks,
  createCnpTransactionBooks,
} from './transaction-books.ts';

interface CnpParts {
  readonly accounts: AccountBooks<CnpSettings>;
  readonly transactions: CnpTransactionBooks;
  readonly cryptograms: CryptogramBooks;
}

/** Durable books of the stand-in: one SQLite file. Functions that write run inside a commit. */
export type CnpBooks = StandInBooks & CnpParts;

const SCHEMAS = [ACCOUNT_SCHEMA, CNP_TRANSACTION_SCHEMA, CRYPTOGRAM_SCHEMA];

/** Opens the books in a directory and creates them if necessary. Throws if another process has them open. */
export const openCnpBooks = (dataDir: string): CnpBooks =>
  openBooks(dataDir, 'worldpay-cnp.sqlite', SCHEMAS, createParts);

const createParts = (db: DatabaseSync): CnpParts => ({
  accounts: createAccountBooks(db),
  transactions: createCnpTransactionBooks(db),
  cryptograms: createCryptogramBooks(db),
});
