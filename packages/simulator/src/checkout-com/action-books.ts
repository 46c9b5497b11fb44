import type { DatabaseSync } from 'node:sqlite';
import type { ActionFacts, ActionState, ActionType, StoredAction } from './records.ts';

/** `position` orders actions by arrival. */
export const ACTION_SCHEMA = `
  create table if not exists actions (
    position integer primary key,
    id text not null unique,
    payment text not null,
    type text not null,
    amount integer not null,
    reference text,
    state text not null check (state in ('pending', 'approved', 'declined')),
    requested_at integer not null,
    due_at integer not null,
    facts text not null
  ) strict;
  create index if not exists actions_payment on actions (payment);
  create index if not exists actions_due on actions (due_at) where state = 'pending'`;

/** Actions of payments in the books. Call the writing functions only inside a commit. */
export interface ActionBooks {
  insert(action: StoredAction): void;
  /** Actions of a payment, oldest first. */
  of(payment: string): StoredAction[];
  /** Pending actions whose outcome is due, oldest first. */
  due(now: number, limit: number): StoredAction[];
  /** Next time at which a pending action gets its outcome. */
  nextDue(): number | undefined;
  settle(id: string, state: ActionState, facts: ActionFacts): void;
}

export function createActionBooks(db: DatabaseSync): ActionBooks {
  const insert = db.prepare('insert into actions values (null, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const selectOf = db.prepare('select * from actions where payment = ? order by position');
  const selectDue = db.prepare(
    `select * from actions where state = 'pending' and due_at <= ? order by due_at, position limit ?`,
  );
  const selectNextDue = db.prepare(`select min(due_at) as at from actions where state = 'pending'`);
  const settle = db.prepare('update actions set state = ?, facts = ? where id = ?');
  return {
    insert({ id, payment, type, amount, reference, state, requestedAt, dueAt, facts }) {
      const json = JSON.stringify(facts);
      insert.run(id, payment, type, amount, reference, state, requestedAt, dueAt, json);
    },
    of: (payment) => selectOf.all(payment).map(actionOf),
    due: (now, limit) => selectDue.all(now, limit).map(actionOf),
    nextDue() {
      const at = selectNextDue.get()?.at;
      return typeof at === 'number' ? at : undefined;
    },
    settle: (id, state, facts) => void settle.run(state, JSON.stringify(facts), id),
  };
}

const actionOf = (row: Readonly<Record<string, unknown>>): StoredAction => ({
  id: String(row.id),
  payment: String(row.payment),
  type: row.type as ActionType,
  amount: Number(row.amount),
  reference: row.reference as string | null,
  state: row.state as ActionState,
  requestedAt: Number(row.requested_at),
  dueAt: Number(row.due_at),
  facts: JSON.parse(String(row.facts)) as ActionFacts,
});
