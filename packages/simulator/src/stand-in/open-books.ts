import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Commit, createGroupCommit } from '../group-commit.ts';
import {
  createDeliveryBooks,
  DELIVERY_SCHEMA,
  type DeliveryBooks,
} from '../notifications/delivery-books.ts';
import { ACCOUNT_SCHEMA, type AccountBooks, createAccountBooks } from './account-books.ts';
import {
  CRYPTOGRAM_SCHEMA,
  type CryptogramBooks,
  createCryptogramBooks,
} from './cryptogram-books.ts';
import { createKeptAnswers, KEPT_ANSWER_SCHEMA, type KeptAnswers } from './kept-answers.ts';

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

/** Books that every stand-in has: one SQLite file with a key, a clock, accounts and used cryptograms. */
export interface StandInBooks<Settings = unknown> extends Disposable {
  readonly accounts: AccountBooks<Settings>;
  readonly cryptograms: CryptogramBooks;
  readonly commit: Commit;
  /** Runs work inside a commit and undoes its writes. The result looks as if the work had its effect. */
  rehearse<T>(work: () => T): T;
  readonly fingerprintKey: string;
  /** Milliseconds by which the stand-in's clock is ahead. */
  clockOffset(): number;
  /** Call only inside a commit. */
  advanceClock(ms: number): void;
}

/** Books of a stand-in that notifies, and that keeps responses for repeated keys. */
export interface NotifyingBooks {
  readonly keptAnswers: KeptAnswers;
  readonly deliveries: DeliveryBooks;
}

export const NOTIFYING_SCHEMAS: readonly string[] = [DELIVERY_SCHEMA, KEPT_ANSWER_SCHEMA];

/** `holdsBackAfter`: attempts after which a waiting delivery holds back the others of its address. */
export const createNotifyingBooks = (
  db: DatabaseSync,
  holdsBackAfter?: number,
): NotifyingBooks => ({
  keptAnswers: createKeptAnswers(db),
  deliveries: createDeliveryBooks(db, holdsBackAfter),
});

/** Opens books in a directory and creates them if necessary. Throws if another process has them open. */
export function openBooks<Settings, Parts extends object>(
  dataDir: string,
  fileName: string,
  schemas: readonly string[],
  createParts: (db: DatabaseSync) => Parts,
): StandInBooks<Settings> & Parts {
  mkdirSync(dataDir, { recursive: true });
  const db = new DatabaseSync(join(dataDir, fileName));
  try {
    for (const schema of [SETTING_SCHEMA, ACCOUNT_SCHEMA, CRYPTOGRAM_SCHEMA, ...schemas])
      db.exec(schema);
    return { ...createStandInBooks<Settings>(db), ...createParts(db) };
  } catch (error) {
    db.close();
    throw error;
  }
}

function createStandInBooks<Settings>(db: DatabaseSync): StandInBooks<Settings> {
  db.prepare('insert or ignore into settings values (1, ?, 0)').run(randomUUID());
  const selectSettings = db.prepare('select * from settings');
  const advance = db.prepare('update settings set clock_offset = clock_offset + ?');
  return {
    accounts: createAccountBooks(db),
    cryptograms: createCryptogramBooks(db),
    commit: createGroupCommit(db),
    rehearse: (work) => undo(db, work),
    fingerprintKey: String(selectSettings.get()?.fingerprint_key),
    clockOffset: () => Number(selectSettings.get()?.clock_offset),
    advanceClock: (ms) => void advance.run(ms),
    [Symbol.dispose]: () => db.close(),
  };
}

function undo<T>(db: DatabaseSync, work: () => T): T {
  db.exec('savepoint rehearsal');
  try {
    return work();
  } finally {
    db.exec('rollback to rehearsal; release rehearsal');
  }
}
