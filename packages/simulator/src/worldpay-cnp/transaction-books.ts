import type { DatabaseSync } from 'node:sqlite';

/** `position` orders transactions by arrival. `card` is a fingerprint. */
export const CNP_TRANSACTION_SCHEMA = `
  create table if not exists transactions (
    position integer primary key,
    cnp_id text not null unique,
    merchant text not null,
    type text not null,
    id text not null,
    card text not null,
    parent text,
    amount integer not null,
    requested_at integer not null,
    facts text not null
  ) strict;
  create index if not exists transactions_id on transactions (merchant, id);
  create index if not exists transactions_parent on transactions (parent)`;

export type CnpType = 'authorization' | 'sale' | 'capture' | 'credit' | 'authReversal' | 'void';

/** A transaction in the books. Amounts are minor units, times milliseconds since 1970. */
export interface CnpTransaction {
  /** Worldpay's id: `cnpTxnId`. */
  readonly cnpId: string;
  readonly merchant: string;
  readonly type: CnpType;
  /** The caller's attribute `id`. */
  readonly id: string;
  readonly card: string;
  /** `cnpTxnId` that the transaction refers to. */
  readonly parent: string | null;
  readonly amount: number;
  readonly requestedAt: number;
  readonly facts: CnpFacts;
}

/** Facts that no query needs. Never a card number, CVV or cryptogram. */
export interface CnpFacts {
  readonly response: string;
  readonly reportGroup: string;
  readonly customerId?: string | undefined;
  readonly orderId?: string | undefined;
  readonly authCode?: string | undefined;
  readonly networkTransactionId?: string | undefined;
  readonly avs?: string | undefined;
  readonly cvv?: string | undefined;
  readonly expiresAt?: number | undefined;
  /** Whether a void took the transaction back, or a reversal the authorisation. */
  readonly isUndone?: boolean | undefined;
}

/** Transactions in the books. Call the writing functions only inside a commit. */
export interface CnpTransactionBooks {
  insert(transaction: Omit<CnpTransaction, 'cnpId'>): CnpTransaction;
  find(cnpId: string): CnpTransaction | undefined;
  /** Transactions with the caller's id, newest first. */
  withId(merchant: string, id: string): CnpTransaction[];
  /** Transactions that refer to another. */
  childrenOf(cnpId: string): CnpTransaction[];
  undo(transaction: CnpTransaction): void;
}

/** Ids have 17 digits, as Worldpay's. */
const CNP_ID_BASE = 80_000_000_000_000_000n;

export function createCnpTransactionBooks(db: DatabaseSync): CnpTransactionBooks {
  const insert = db.prepare('insert into transactions values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const selectNext = db.prepare('select coalesce(max(position), 0) + 1 as next from transactions');
  const selectOne = db.prepare('select * from transactions where cnp_id = ?');
  const selectById = db.prepare(
    'select * from transactions where merchant = ? and id = ? order by position desc',
  );
  const selectChildren = db.prepare(
    'select * from transactions where parent = ? order by position',
  );
  const update = db.prepare('update transactions set facts = ? where cnp_id = ?');
  return {
    insert(transaction) {
      const position = Number(selectNext.get()?.next);
      const cnpId = String(CNP_ID_BASE + BigInt(position));
      const { merchant, type, id, card, parent, amount, requestedAt, facts } = transaction;
      const text = JSON.stringify(facts);
      insert.run(position, cnpId, merchant, type, id, card, parent, amount, requestedAt, text);
      return { ...transaction, cnpId };
    },
    find(cnpId) {
      const row = selectOne.get(cnpId);
      return row && transactionOf(row);
    },
    withId: (merchant, id) => selectById.all(merchant, id).map(transactionOf),
    childrenOf: (cnpId) => selectChildren.all(cnpId).map(transactionOf),
    undo: ({ cnpId, facts }) =>
      void update.run(JSON.stringify({ ...facts, isUndone: true }), cnpId),
  };
}

const transactionOf = (row: Readonly<Record<string, unknown>>): CnpTransaction => ({
  cnpId: String(row.cnp_id),
  merchant: String(row.merchant),
  type: row.type as CnpType,
  id: String(row.id),
  card: String(row.card),
  parent: row.parent as string | null,
  amount: Number(row.amount),
  requestedAt: Number(row.requested_at),
  facts: JSON.parse(String(row.facts)) as CnpFacts,
});

export const isApproved = ({ facts }: CnpTransaction): boolean => facts.response === '000';

/** Approved amount of a kind of transactions, without those that were taken back. */
export const sumOf = (transactions: readonly CnpTransaction[], type: CnpType): number =>
  transactions
    .filter((each) => each.type === type && isApproved(each) && !each.facts.isUndone)
    .reduce((sum, { amount }) => sum + amount, 0);
