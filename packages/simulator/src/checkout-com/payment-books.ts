import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { BaseStatus, PaymentFacts, StoredPayment } from './records.ts';

/** `position` orders payments by arrival. */
export const PAYMENT_SCHEMA = `
  create table if not exists payments (
    position integer primary key,
    id text not null unique,
    channel text not null,
    reference text,
    amount integer not null,
    currency text not null,
    status text not null,
    requested_at integer not null,
    expires_at integer not null,
    facts text not null
  ) strict;
  create index if not exists payments_reference on payments (channel, reference);
  create index if not exists payments_end on payments (expires_at)
    where status in ('Authorized', 'Pending', 'Retry Scheduled')`;

/** Conditions of a list of payments. `until` leaves out later arrivals. */
export interface PaymentFilter {
  readonly channels: readonly string[];
  readonly reference?: string;
  readonly id?: string;
  /** Milliseconds since 1970, both included. */
  readonly from?: number;
  readonly until: number;
}

/** Payments in the books. Call the writing functions only inside a commit. */
export interface PaymentBooks {
  insert(payment: StoredPayment): void;
  find(id: string): StoredPayment | undefined;
  /** One page, newest first, with the number of all payments that match. */
  list(
    filter: PaymentFilter,
    limit: number,
    skip: number,
  ): { readonly total: number; readonly payments: StoredPayment[] };
  /** Stores status, amount, time of expiry and facts. */
  update(payment: StoredPayment): void;
  /** Payments whose authorisation, challenge or wait for a retry is over. */
  expired(now: number, limit: number): StoredPayment[];
  /** Next time at which an open payment expires. */
  nextExpiry(): number | undefined;
}

export function createPaymentBooks(db: DatabaseSync): PaymentBooks {
  const insert = db.prepare('insert into payments values (null, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const selectOne = db.prepare('select * from payments where id = ?');
  const update = db.prepare(
    'update payments set status = ?, amount = ?, expires_at = ?, facts = ? where id = ?',
  );
  const selectExpired = db.prepare(
    `select * from payments where expires_at <= ? and status in ('Authorized', 'Pending', 'Retry Scheduled')
     order by expires_at limit ?`,
  );
  const selectNextExpiry = db.prepare(
    `select min(expires_at) as at from payments where status in ('Authorized', 'Pending', 'Retry Scheduled')`,
  );
  return {
    insert(payment) {
      const { id, channel, reference, amount, currency, status, requestedAt, expiresAt } = payment;
      const facts = JSON.stringify(payment.facts);
      insert.run(id, channel, reference, amount, currency, status, requestedAt, expiresAt, facts);
    },
    find(id) {
      const row = selectOne.get(id);
      return row && paymentOf(row);
    },
    list: (filter, limit, skip) => listPayments(db, filter, limit, skip),
    update: ({ id, status, amount, expiresAt, facts }) =>
      void update.run(status, amount, expiresAt, JSON.stringify(facts), id),
    expired: (now, limit) => selectExpired.all(now, limit).map(paymentOf),
    nextExpiry() {
      const at = selectNextExpiry.get()?.at;
      return typeof at === 'number' ? at : undefined;
    },
  };
}

function listPayments(
  db: DatabaseSync,
  { channels, reference, id, from = 0, until }: PaymentFilter,
  limit: number,
  skip: number,
): ReturnType<PaymentBooks['list']> {
  const conditions: (readonly [sql: string, value: SQLInputValue])[] = [
    ['channel in (select value from json_each(?))', JSON.stringify(channels)],
    ['requested_at >= ?', from],
    ['requested_at <= ?', until],
    ...(reference === undefined ? [] : [['reference = ?', reference] as const]),
    ...(id === undefined ? [] : [['id = ?', id] as const]),
  ];
  const where = conditions.map(([sql]) => sql).join(' and ');
  const values = conditions.map(([, value]) => value);
  const page = `select * from payments where ${where} order by position desc limit ? offset ?`;
  const count = `select count(*) as total from payments where ${where}`;
  return {
    total: Number(db.prepare(count).get(...values)?.total),
    payments: db
      .prepare(page)
      .all(...values, limit, skip)
      .map(paymentOf),
  };
}

const paymentOf = (row: Readonly<Record<string, unknown>>): StoredPayment => ({
  id: String(row.id),
  channel: String(row.channel),
  reference: row.reference as string | null,
  amount: Number(row.amount),
  currency: String(row.currency),
  status: row.status as BaseStatus,
  requestedAt: Number(row.requested_at),
  expiresAt: Number(row.expires_at),
  facts: JSON.parse(String(row.facts)) as PaymentFacts,
});
