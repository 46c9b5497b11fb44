import type { DatabaseSync } from 'node:sqlite';
import type {
  FollowUpAnswer,
  FollowUpRequest,
  NetworkCounts,
} from '@florin/contract/protocol/network.ts';
import { type AuthorisationState, decideFollowUp, type FollowUpKind } from './decide-follow-up.ts';

const followUpTableSql = (table: string): string => `
  create table if not exists ${table} (
    reference text primary key,
    authorisation text not null,
    amount integer not null check (amount > 0),
    result text not null check (result in ('approved', 'declined')),
    answer text not null
  ) strict, without rowid;
  create index if not exists ${table}_authorisation on ${table} (authorisation)`;

/** `holds` lists approvals without immediate capture, `partial_captures` the captures after which a hold stays open. */
export const FOLLOW_UP_SCHEMA = `
  create table if not exists holds (reference text primary key) strict, without rowid;
  create table if not exists partial_captures (reference text primary key) strict, without rowid;
  ${followUpTableSql('refunds')};
  ${followUpTableSql('captures')}`;

type Totals = Pick<NetworkCounts, 'refunds' | 'refunded' | 'captures' | 'captured'>;

/** Refunds and captures in the ledger. Call the writing functions only inside a commit. */
export interface FollowUpLedger {
  /** Stores an approval that is not captured. */
  hold(reference: string): void;
  /**
   * Returns the stored response for a repeated reference, even with another authorisation. Otherwise decides and
   * stores it.
   */
  follow(kind: FollowUpKind, authorisation: string, request: FollowUpRequest): FollowUpAnswer;
  stateOf(authorisation: string): AuthorisationState;
  find(kind: FollowUpKind, reference: string): FollowUpAnswer | undefined;
  /** Sum of an authorisation's approved refunds. */
  refundedAmountOf(authorisation: string): number;
  totals(): Totals;
}

export function createFollowUpLedger(db: DatabaseSync): FollowUpLedger {
  const insertHold = db.prepare('insert into holds values (?)');
  const entriesByKind = {
    capture: createEntries(db, 'captures'),
    refund: createEntries(db, 'refunds'),
  };
  const insertPartialCapture = db.prepare('insert into partial_captures values (?)');
  const selectFinalCapture = db.prepare(
    `select 1 from captures where authorisation = ? and result = 'approved'
       and reference not in (select reference from partial_captures)`,
  );
  const selectApproval = db.prepare(
    `select amount, currency, h.reference is not null as is_hold
     from authorisations a left join holds h on h.reference = a.reference
     where a.reference = ? and result = 'approved'`,
  );

  function stateOf(authorisation: string): AuthorisationState {
    const { amount = 0, currency = '', is_hold = 0 } = selectApproval.get(authorisation) ?? {};
    const capturedAmount = is_hold ? entriesByKind.capture.sumOf(authorisation) : Number(amount);
    const isOpen = is_hold && !selectFinalCapture.get(authorisation);
    return {
      currency: String(currency),
      heldAmount: isOpen ? Number(amount) - capturedAmount : 0,
      capturedAmount,
      refundedAmount: entriesByKind.refund.sumOf(authorisation),
    };
  }

  return {
    hold: (reference) => void insertHold.run(reference),
    follow(kind, authorisation, request) {
      const storedAnswer = entriesByKind[kind].find(request.reference);
      if (storedAnswer) return storedAnswer;
      const answer = decideFollowUp(kind, request, stateOf(authorisation));
      entriesByKind[kind].insert(authorisation, request, answer);
      if (kind === 'capture' && request.final === false)
        insertPartialCapture.run(request.reference);
      return answer;
    },
    stateOf,
    find: (kind, reference) => entriesByKind[kind].find(reference),
    refundedAmountOf: entriesByKind.refund.sumOf,
    totals() {
      const [refunds, captures] = [entriesByKind.refund.total(), entriesByKind.capture.total()];
      return {
        refunds: refunds.count,
        refunded: refunds.sum,
        captures: captures.count,
        captured: captures.sum,
      };
    },
  };
}

function createEntries(db: DatabaseSync, table: string) {
  const selectAnswer = db.prepare(`select answer from ${table} where reference = ?`);
  const insert = db.prepare(`insert into ${table} values (?, ?, ?, ?, ?)`);
  const selectSum = db.prepare(
    `select coalesce(sum(amount), 0) as sum from ${table} where authorisation = ? and result = 'approved'`,
  );
  const selectTotal = db.prepare(
    `select count(*) as count, coalesce(sum(amount), 0) as sum from ${table} where result = 'approved'`,
  );
  return {
    find(reference: string): FollowUpAnswer | undefined {
      const row = selectAnswer.get(reference);
      return row && (JSON.parse(String(row.answer)) as FollowUpAnswer);
    },
    insert(authorisation: string, { reference, amount }: FollowUpRequest, answer: FollowUpAnswer) {
      insert.run(reference, authorisation, amount, answer.result, JSON.stringify(answer));
    },
    sumOf: (authorisation: string): number => Number(selectSum.get(authorisation)?.sum ?? 0),
    total: () => ({ ...selectTotal.get() }) as unknown as { count: number; sum: number },
  };
}
