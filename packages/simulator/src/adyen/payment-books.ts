import type { DatabaseSync } from 'node:sqlite';
import type { AdyenPayment, AdyenPaymentFacts, AdyenPaymentStatus } from './records.ts';

/** `position` orders payments by arrival. Several payments may have one reference. */
export const ADYEN_PAYMENT_SCHEMA = `
  create table if not exists payments (
    position integer primary key,
    psp text not null unique,
    account text not null,
    reference text not null,
    amount integer not null,
    currency text not null,
    status text not null,
    requested_at integer not null,
    due_at integer not null,
    facts text not null
  ) strict;
  create index if not exists payments_reference on payments (account, reference);
  create index if not exists payments_due on payments (due_at)
    where status in ('authorised', 'pending')`;

/** Sums of an account's payments, for tests that count approvals. */
export interface PaymentTotals {
  readonly payments: number;
  readonly authorised: number;
  readonly refused: number;
  readonly cancelled: number;
}

/** Payments in the books. Call the writing functions only inside a commit. */
export interface AdyenPaymentBooks {
  insert(payment: AdyenPayment): void;
  find(psp: string): AdyenPayment | undefined;
  /** All payments of a merchant's reference, oldest first. */
  ofReference(account: string, reference: string): AdyenPayment[];
  update(psp: string, change: Pick<AdyenPayment, 'status' | 'amount' | 'dueAt' | 'facts'>): void;
  /** Approvals and pending payments whose time has come, oldest first. */
  due(now: number, limit: number): AdyenPayment[];
  /** Next time at which `due` returns a payment. */
  nextDue(): number | undefined;
  totals(account: string): PaymentTotals;
}

export function createAdyenPaymentBooks(db: DatabaseSync): AdyenPaymentBooks {
  const insert = db.prepare('insert into payments values (null, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const selectOne = db.prepare('select * from payments where psp = ?');
  const selectOf = db.prepare(
    'select * from payments where account = ? and reference = ? order by position',
  );
  const update = db.prepare(
    'update payments set status = ?, amount = ?, due_at = ?, facts = ? where psp = ?',
  );
  const selectDue = db.prepare(
    `select * from payments where due_at <= ? and status in ('authorised', 'pending')
     order by due_at, position limit ?`,
  );
  const selectNextDue = db.prepare(
    `select min(due_at) as at from payments where status in ('authorised', 'pending')`,
  );
  const selectTotals = db.prepare(
    `select count(*) as payments, count(*) filter (where status in ('authorised', 'expired')) as authorised,
       count(*) filter (where status = 'refused') as refused,
       count(*) filter (where status = 'cancelled') as cancelled
     from payments where account = ?`,
  );
  return {
    insert(payment) {
      const { psp, account, reference, amount, currency, status, requestedAt, dueAt } = payment;
      const facts = JSON.stringify(payment.facts);
      insert.run(psp, account, reference, amount, currency, status, requestedAt, dueAt, facts);
    },
    find(psp) {
      const row = selectOne.get(psp);
      return row && paymentOf(row);
    },
    ofReference: (account, reference) => selectOf.all(account, reference).map(paymentOf),
    update: (psp, { status, amount, dueAt, facts }) =>
      void update.run(status, amount, dueAt, JSON.stringify(facts), psp),
    due: (now, limit) => selectDue.all(now, limit).map(paymentOf),
    nextDue() {
      const at = selectNextDue.get()?.at;
      return typeof at === 'number' ? at : undefined;
    },
    totals: (account) => ({ ...selectTotals.get(account) }) as unknown as PaymentTotals,
  };
}

const paymentOf = (row: Readonly<Record<string, unknown>>): AdyenPayment => ({
  psp: String(row.psp),
  account: String(row.account),
  reference: String(row.reference),
  amount: Number(row.amount),
  currency: String(row.currency),
  status: row.status as AdyenPaymentStatus,
  requestedAt: Number(row.requested_at),
  dueAt: Number(row.due_at),
  facts: JSON.parse(String(row.facts)) as AdyenPaymentFacts,
});
