import type { DatabaseSync } from 'node:sqlite';

/** Types of the rows that move a payment's money. */
export type AdyenMovementType =
  | 'Settled'
  | 'SettledReversed'
  | 'Refunded'
  | 'RefundedReversed'
  | 'Chargeback'
  | 'ChargebackReversed'
  | 'SecondChargeback';

/** `batch` is null until a batch is closed. Amounts are Adyen's minor units. */
export const ADYEN_MOVEMENT_SCHEMA = `
  create table if not exists movements (
    position integer primary key,
    account text not null,
    type text not null,
    payment text not null,
    modification text not null,
    reference text not null,
    amount integer not null,
    currency text not null,
    at integer not null,
    batch integer
  ) strict;
  create index if not exists movements_open on movements (account) where batch is null;
  create table if not exists reports (
    account text not null,
    batch integer not null,
    content text not null,
    primary key (account, batch)
  ) strict, without rowid`;

/** Money of a payment that a settlement report lists. `at` is in milliseconds since 1970. */
export interface Movement {
  readonly account: string;
  readonly type: AdyenMovementType;
  /** Psp reference of the payment. */
  readonly payment: string;
  /** Psp reference of the capture, refund or dispute. */
  readonly modification: string;
  /** Merchant's reference of the capture or refund, or empty. */
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly at: number;
}

/** Movements and reports in the books. Call the writing functions only inside a commit. */
export interface AdyenMovementBooks {
  add(movement: Movement): void;
  /** Movements of an account without a batch, oldest first. */
  open(account: string): Movement[];
  /** Number of the account's next batch, from 1. */
  nextBatch(account: string): number;
  /** Ends a batch: its movements are in no other batch. */
  close(account: string, batch: number, content: string): void;
  /** Content of a batch's report. */
  report(account: string, batch: number): string | undefined;
}

export function createAdyenMovementBooks(db: DatabaseSync): AdyenMovementBooks {
  const insert = db.prepare('insert into movements values (null, ?, ?, ?, ?, ?, ?, ?, ?, null)');
  const selectOpen = db.prepare(
    'select * from movements where account = ? and batch is null order by position',
  );
  const selectLast = db.prepare(
    'select coalesce(max(batch), 0) as last from reports where account = ?',
  );
  const assign = db.prepare('update movements set batch = ? where account = ? and batch is null');
  const insertReport = db.prepare('insert into reports values (?, ?, ?)');
  const selectReport = db.prepare('select content from reports where account = ? and batch = ?');
  return {
    add: ({ account, type, payment, modification, reference, amount, currency, at }) =>
      void insert.run(account, type, payment, modification, reference, amount, currency, at),
    open: (account) => selectOpen.all(account).map(movementOf),
    nextBatch: (account) => Number(selectLast.get(account)?.last) + 1,
    close(account, batch, content) {
      assign.run(batch, account);
      insertReport.run(account, batch, content);
    },
    report(account, batch) {
      const row = selectReport.get(account, batch);
      return row && String(row.content);
    },
  };
}

const movementOf = (row: Readonly<Record<string, unknown>>): Movement => ({
  account: String(row.account),
  type: row.type as AdyenMovementType,
  payment: String(row.payment),
  modification: String(row.modification),
  reference: String(row.reference),
  amount: Number(row.amount),
  currency: String(row.currency),
  at: Number(row.at),
});
