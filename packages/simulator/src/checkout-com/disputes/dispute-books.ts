import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { JsonMembers } from '../../stand-in/members.ts';
import type { DisputeCategory, DisputeStatus } from './states.ts';

/** `position` orders disputes by arrival. Amounts may be negative. */
export const CHECKOUT_DISPUTE_SCHEMA = `
  create table if not exists disputes (
    position integer primary key,
    id text not null unique,
    payment text not null,
    channel text not null,
    reference text,
    amount integer not null,
    currency text not null,
    status text not null,
    received_at integer not null,
    required_by integer not null,
    updated_at integer not null,
    facts text not null
  ) strict;
  create index if not exists disputes_payment on disputes (payment);
  create index if not exists disputes_deadline on disputes (required_by)
    where status = 'evidence_required'`;

/** Dispute in the books. Times are milliseconds since 1970, amounts minor units. */
export interface StoredDispute {
  readonly id: string;
  readonly payment: string;
  readonly channel: string;
  /** Reference of the payment. */
  readonly reference: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly status: DisputeStatus;
  readonly receivedAt: number;
  /** Time until which evidence may be sent. */
  readonly requiredBy: number;
  readonly updatedAt: number;
  readonly facts: DisputeFacts;
}

/** Facts of a dispute that no query needs. */
export interface DisputeFacts {
  readonly category: DisputeCategory;
  readonly reasonCode: string;
  readonly resolvedReason?: string;
  readonly evidence?: JsonMembers;
  readonly arbitrationEvidence?: JsonMembers;
}

/** Conditions of a list of disputes. Times select by the latest change. */
export interface DisputeFilter {
  readonly channels: readonly string[];
  readonly statuses?: readonly string[];
  readonly id?: string;
  readonly payment?: string;
  readonly reference?: string;
  readonly from?: number;
  readonly to?: number;
}

/** Disputes in the books. Call the writing functions only inside a commit. */
export interface CheckoutDisputeBooks {
  insert(dispute: StoredDispute): void;
  /** Stores status, time of the change and facts. */
  update(dispute: StoredDispute): void;
  find(id: string): StoredDispute | undefined;
  /** One page, newest first, with the number of all disputes that match. */
  list(
    filter: DisputeFilter,
    limit: number,
    skip: number,
  ): { readonly total: number; readonly disputes: StoredDispute[] };
  /** Disputes whose time for evidence is over, first deadline first. */
  overdue(now: number, limit: number): StoredDispute[];
  /** Next time at which a dispute expires. */
  nextDeadline(): number | undefined;
}

export function createCheckoutDisputeBooks(db: DatabaseSync): CheckoutDisputeBooks {
  const insert = db.prepare('insert into disputes values (null, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const update = db.prepare(
    'update disputes set status = ?, updated_at = ?, facts = ? where id = ?',
  );
  const selectOne = db.prepare('select * from disputes where id = ?');
  const selectOverdue = db.prepare(
    `select * from disputes where status = 'evidence_required' and required_by <= ?
     order by required_by limit ?`,
  );
  const selectNextDeadline = db.prepare(
    `select min(required_by) as at from disputes where status = 'evidence_required'`,
  );
  return {
    insert(dispute) {
      const { id, payment, channel, reference, amount, currency, status } = dispute;
      const { receivedAt, requiredBy, updatedAt } = dispute;
      const facts = JSON.stringify(dispute.facts);
      const money = [amount, currency] as const;
      const times = [receivedAt, requiredBy, updatedAt] as const;
      insert.run(id, payment, channel, reference, ...money, status, ...times, facts);
    },
    update: ({ id, status, updatedAt, facts }) =>
      void update.run(status, updatedAt, JSON.stringify(facts), id),
    find(id) {
      const row = selectOne.get(id);
      return row && disputeOf(row);
    },
    list: (filter, limit, skip) => listDisputes(db, filter, limit, skip),
    overdue: (now, limit) => selectOverdue.all(now, limit).map(disputeOf),
    nextDeadline() {
      const at = selectNextDeadline.get()?.at;
      return typeof at === 'number' ? at : undefined;
    },
  };
}

function listDisputes(
  db: DatabaseSync,
  { channels, statuses, ...others }: DisputeFilter,
  limit: number,
  skip: number,
): ReturnType<CheckoutDisputeBooks['list']> {
  const anyOf = (column: string, values: readonly string[]) =>
    [`${column} in (select value from json_each(?))`, JSON.stringify(values)] as const;
  const conditions: (readonly [sql: string, value: SQLInputValue])[] = [
    anyOf('channel', channels),
    ...(statuses ? [anyOf('status', statuses)] : []),
    ...(['id', 'payment', 'reference'] as const).flatMap((column) => {
      const value = others[column];
      return value === undefined ? [] : [[`${column} = ?`, value] as const];
    }),
    ['updated_at >= ?', others.from ?? 0],
    ['updated_at <= ?', others.to ?? Number.MAX_SAFE_INTEGER],
  ];
  const where = conditions.map(([sql]) => sql).join(' and ');
  const values = conditions.map(([, value]) => value);
  const page = `select * from disputes where ${where} order by position desc limit ? offset ?`;
  const count = `select count(*) as total from disputes where ${where}`;
  return {
    total: Number(db.prepare(count).get(...values)?.total),
    disputes: db
      .prepare(page)
      .all(...values, limit, skip)
      .map(disputeOf),
  };
}

const disputeOf = (row: Readonly<Record<string, unknown>>): StoredDispute => ({
  id: String(row.id),
  payment: String(row.payment),
  channel: String(row.channel),
  reference: row.reference as string | null,
  amount: Number(row.amount),
  currency: String(row.currency),
  status: row.status as DisputeStatus,
  receivedAt: Number(row.received_at),
  requiredBy: Number(row.required_by),
  updatedAt: Number(row.updated_at),
  facts: JSON.parse(String(row.facts)) as DisputeFacts,
});
