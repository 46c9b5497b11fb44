import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Commit, createGroupCommit } from '../group-commit.ts';
import { ACCOUNT_SCHEMA, type AccountBooks, createAccountBooks } from './accounts.ts';
import { ACTION_SCHEMA, type ActionBooks, createActionBooks } from './action-books.ts';
import { createKeptAnswers, KEPT_ANSWER_SCHEMA, type KeptAnswers } from './kept-answers.ts';
import { createPaymentBooks, PAYMENT_SCHEMA, type PaymentBooks } from './payment-books.ts';

const FILE_NAME = 'checkout-com.sqlite';

/** `fingerprint_key` keys the fingerprints of cards. `clock_offset` is in milliseconds. */
const SETTING_SCHEMA = `
  pragma locking_mode = exclusive;
  pragma journal_mode = wal;
  pragma synchronous = full;
  create table if not exists settings (
    only_row integer primary key check (only_row = 1),
    fingerprint_key text not null,
    clock_offset integer not null
  ) strict`;

/** Durable books of the stand-in: one SQLite file. Functions that write run inside a commit. */
export interface CheckoutBooks extends Disposable {
  readonly commit: Commit;
  readonly fingerprintKey: string;
  readonly accounts: AccountBooks;
  readonly payments: PaymentBooks;
  readonly actions: ActionBooks;
  readonly keptAnswers: KeptAnswers;
  /** Milliseconds by which the stand-in's clock is ahead. */
  clockOffset(): number;
  advanceClock(ms: number): void;
}

/** Opens the books in a directory and creates them if necessary. Throws if another process has them open. */
export function openCheckoutBooks(dataDir: string): CheckoutBooks {
  mkdirSync(dataDir, { recursive: true });
  const db = new DatabaseSync(join(dataDir, FILE_NAME));
  try {
    db.exec(SETTING_SCHEMA);
    for (const schema of [ACCOUNT_SCHEMA, PAYMENT_SCHEMA, ACTION_SCHEMA, KEPT_ANSWER_SCHEMA])
      db.exec(schema);
    return createBooks(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

function createBooks(db: DatabaseSync): CheckoutBooks {
  db.prepare('insert or ignore into settings values (1, ?, 0)').run(randomUUID());
  const selectSettings = db.prepare('select * from settings');
  const advance = db.prepare('update settings set clock_offset = clock_offset + ?');
  return {
    commit: createGroupCommit(db),
    fingerprintKey: String(selectSettings.get()?.fingerprint_key),
    accounts: createAccountBooks(db),
    payments: createPaymentBooks(db),
    actions: createActionBooks(db),
    keptAnswers: createKeptAnswers(db),
    clockOffset: () => Number(selectSettings.get()?.clock_offset),
    advanceClock: (ms) => void advance.run(ms),
    [Symbol.dispose]: () => db.close(),
  };
}
