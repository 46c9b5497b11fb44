import type { DatabaseSync } from 'node:sqlite';
import type {
  AuthorisationAnswer,
  AuthorisationRequest,
  FollowUpRequest,
  HistoryEntry,
  HistoryKind,
  NetworkOrder,
} from '@florin/contract/protocol/network.ts';
import type { AuthorisationState, FollowUpKind } from './decide-follow-up.ts';

/** Approved changes of money in their order. Networks that predate this table have no earlier history. */
export const HISTORY_SCHEMA = `
  create table if not exists history (
    position integer primary key,
    at text not null,
    kind text not null check (kind in ('authorisation', 'capture', 'refund', 'reversal')),
    reference text not null,
    authorisation text not null,
    amount integer not null,
    currency text not null,
    final integer not null,
    merchant text,
    payment text
  ) strict;
  create index if not exists history_at on history (at)`;

/** Maximum entries in an answer. */
const PAGE_ENTRIES = 200;

interface NewHistoryEntry {
  readonly kind: HistoryKind;
  readonly reference: string;
  readonly authorisation: string;
  readonly amount: number;
  readonly currency: string;
  readonly final: boolean;
  readonly order?: NetworkOrder | undefined;
}

/** History of the network. Call `enter` only inside a commit. */
export interface HistoryLedger {
  enter(entry: NewHistoryEntry): void;
  /** A page of the entries since an instant, after a position. */
  list(since: string, position: number): HistoryEntry[];
}

export function createHistoryLedger(db: DatabaseSync, now: () => Date): HistoryLedger {
  const insert = db.prepare('insert into history values (null, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const select = db.prepare(
    `select position, kind, reference, authorisation, amount, currency, final, merchant, payment
     from history where at >= ? and position > ? order by position limit ${PAGE_ENTRIES}`,
  );
  return {
    enter({ kind, reference, authorisation, amount, currency, final, order }) {
      const { merchant = null, payment = null } = order ?? {};
      const at = now().toISOString();
      const isFinal = Number(final);
      insert.run(at, kind, reference, authorisation, amount, currency, isFinal, merchant, payment);
    },
    list: (since, position) => select.all(since, position).map(entryOf),
  };
}

function entryOf({ final, merchant, payment, ...row }: Record<string, unknown>): HistoryEntry {
  const order = merchant && payment ? { order: { merchant, payment } } : {};
  return { ...row, final: final === 1, ...order } as unknown as HistoryEntry;
}

export const entryOfApproval = (
  { reference, amount, currency, capture, order }: AuthorisationRequest,
  { approved_amount = amount }: AuthorisationAnswer,
): NewHistoryEntry => ({
  kind: 'authorisation',
  reference,
  authorisation: reference,
  amount: approved_amount,
  currency,
  final: capture,
  order,
});

export const entryOfFollowUp = (
  kind: FollowUpKind,
  authorisation: string,
  { reference, amount, currency, final = true }: FollowUpRequest,
): NewHistoryEntry => ({ kind, reference, authorisation, amount, currency, final });

/** The reversal of an approval with this state before. */
export const entryOfReversal = (
  reference: string,
  { currency, heldAmount, capturedAmount }: AuthorisationState,
): NewHistoryEntry => ({
  kind: 'reversal',
  reference,
  authorisation: reference,
  amount: heldAmount + capturedAmount,
  currency,
  final: true,
});
