import type { DatabaseSync } from 'node:sqlite';
import type { RefundAnswer, RefundRequest } from '@florin/contract/protocol/network.ts';
import { type Captured, decideRefund } from './decide-refund.ts';

/** `holds` are approvals that were not captured, of which there is nothing to refund. */
export const REFUND_SCHEMA = `
  create table if not exists holds (reference text primary key) strict, without rowid;
  create table if not exists refunds (
    reference text primary key,
    authorisation text not null,
    amount integer not null check (amount > 0),
    result text not null check (result in ('approved', 'declined')),
    answer text not null
  ) strict, without rowid;
  create index if not exists refunds_authorisation on refunds (authorisation)`;

/** The part of the books that is about refunds. Its writes belong into a commit of the books. */
export interface RefundLedger {
  /** An approval was not captured. */
  hold(reference: string): void;
  /** The first answer for the refund's reference, whichever authorisation a repeat names. */
  refund(authorisation: string, request: RefundRequest): RefundAnswer;
  find(reference: string): RefundAnswer | undefined;
  /** Sum of the approved refunds of an authorisation. */
  refundedOf(authorisation: string): number;
  totals(): { readonly refunds: number; readonly refunded: number };
}

export function refundLedger(db: DatabaseSync): RefundLedger {
  const insertHold = db.prepare('insert into holds values (?)');
  const select = db.prepare('select answer from refunds where reference = ?');
  const insert = db.prepare('insert into refunds values (?, ?, ?, ?, ?)');
  const sumOf = db.prepare(
    `select coalesce(sum(amount), 0) as refunded from refunds
     where authorisation = ? and result = 'approved'`,
  );
  const total = db.prepare(
    `select count(*) as refunds, coalesce(sum(amount), 0) as refunded from refunds
     where result = 'approved'`,
  );
  const approval = db.prepare(
    `select amount, currency from authorisations a where reference = ? and result = 'approved'
       and not exists (select 1 from holds h where h.reference = a.reference)`,
  );

  function find(reference: string): RefundAnswer | undefined {
    const row = select.get(reference);
    return row && (JSON.parse(String(row.answer)) as RefundAnswer);
  }

  const refundedOf = (authorisation: string): number =>
    Number(sumOf.get(authorisation)?.refunded ?? 0);

  function capturedOf(authorisation: string): Captured {
    const { amount = 0, currency = '' } = approval.get(authorisation) ?? {};
    return {
      amount: Number(amount),
      currency: String(currency),
      refunded: refundedOf(authorisation),
    };
  }

  return {
    hold: (reference) => void insertHold.run(reference),
    refund(authorisation, request) {
      const known = find(request.reference);
      if (known) return known;
      const answer = decideRefund(request, capturedOf(authorisation));
      const { reference, amount } = request;
      insert.run(reference, authorisation, amount, answer.result, JSON.stringify(answer));
      return answer;
    },
    find,
    refundedOf,
    totals: () => ({ ...total.get() }) as unknown as ReturnType<RefundLedger['totals']>,
  };
}
