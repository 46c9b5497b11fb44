import type { DatabaseSync } from 'node:sqlite';
import type {
  Modification,
  ModificationFacts,
  ModificationKind,
  ModificationState,
} from '../records.ts';

/** `position` orders modifications by arrival. */
export const MODIFICATION_SCHEMA = `
  create table if not exists modifications (
    position integer primary key,
    psp text not null unique,
    payment text not null,
    account text not null,
    kind text not null,
    amount integer not null,
    currency text not null,
    reference text,
    state text not null,
    requested_at integer not null,
    due_at integer not null,
    facts text not null
  ) strict;
  create index if not exists modifications_payment on modifications (payment);
  create index if not exists modifications_due on modifications (due_at)
    where state in ('pending', 'failing')`;

/** Modifications in the books. Call the writing functions only inside a commit. */
export interface ModificationBooks {
  insert(modification: Modification): void;
  find(psp: string): Modification | undefined;
  /** Modifications of a payment, oldest first. */
  of(payment: string): Modification[];
  /** Modifications whose next change is due, oldest first. */
  due(now: number, limit: number): Modification[];
  /** Next time at which `due` returns a modification. */
  nextDue(): number | undefined;
  update(
    psp: string,
    change: Pick<Modification, 'state' | 'amount' | 'currency' | 'dueAt' | 'facts'>,
  ): void;
}

export function createModificationBooks(db: DatabaseSync): ModificationBooks {
  const insert = db.prepare(
    'insert into modifications values (null, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const selectOne = db.prepare('select * from modifications where psp = ?');
  const selectOf = db.prepare('select * from modifications where payment = ? order by position');
  const selectDue = db.prepare(
    `select * from modifications where state in ('pending', 'failing') and due_at <= ?
     order by due_at, position limit ?`,
  );
  const selectNextDue = db.prepare(
    `select min(due_at) as at from modifications where state in ('pending', 'failing')`,
  );
  const update = db.prepare(
    'update modifications set state = ?, amount = ?, currency = ?, due_at = ?, facts = ? where psp = ?',
  );
  return {
    insert(modification) {
      const { psp, payment, account, kind, amount, currency, reference } = modification;
      const { state, requestedAt, dueAt, facts } = modification;
      const parts = [psp, payment, account, kind, amount, currency, reference] as const;
      insert.run(...parts, state, requestedAt, dueAt, JSON.stringify(facts));
    },
    find(psp) {
      const row = selectOne.get(psp);
      return row && modificationOf(row);
    },
    of: (payment) => selectOf.all(payment).map(modificationOf),
    due: (now, limit) => selectDue.all(now, limit).map(modificationOf),
    nextDue() {
      const at = selectNextDue.get()?.at;
      return typeof at === 'number' ? at : undefined;
    },
    update: (psp, { state, amount, currency, dueAt, facts }) =>
      void update.run(state, amount, currency, dueAt, JSON.stringify(facts), psp),
  };
}

const modificationOf = (row: Readonly<Record<string, unknown>>): Modification => ({
  psp: String(row.psp),
  payment: String(row.payment),
  account: String(row.account),
  kind: row.kind as ModificationKind,
  amount: Number(row.amount),
  currency: String(row.currency),
  reference: row.reference as string | null,
  state: row.state as ModificationState,
  requestedAt: Number(row.requested_at),
  dueAt: Number(row.due_at),
  facts: JSON.parse(String(row.facts)) as ModificationFacts,
});
