import { type TransferKind, transferKinds } from '@florin/contract/ledger.ts';
import type { Row } from '../../platform/database/row.ts';
import type { ChangedRow } from '../../platform/database/transition.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';

/**
 * Transfers of payments that were captured at once. The merchant is owed the captured amount less the fee. Where
 * several captures collect a payment, each has its own transfers.
 */
export function transfersOfPayments(changedRows: readonly ChangedRow[], now: Micros): Row[] {
  return changedRows
    .filter(({ before, after }) => before.status === 'processing' && after.status === 'succeeded')
    .filter(({ before }) => Number(before.amount_captured_cents ?? 0) === 0)
    .flatMap(({ after }) => collected(after, after.amount_captured_cents, after.id, now));
}

/** Transfers of succeeded captures with a fee of their own: one of several of a payment. */
export function transfersOfCaptures(changedRows: readonly ChangedFollowUp[], now: Micros): Row[] {
  return changedRows
    .filter(({ before, after }) => before && before.status !== after.status)
    .filter(({ after }) => after.status === 'succeeded' && (after.fee_cents ?? null) !== null)
    .flatMap(({ after }) => collected(after, after.amount_cents, after.payment_demand_id, now));
}

/** A refund or capture. A new one has no `before`. */
interface ChangedFollowUp {
  readonly before?: Row;
  readonly after: Row;
}

/** Transfers of a captured amount and of its fee, if there is one. */
function collected(
  source: Row,
  amount_cents: string | null | undefined,
  payment_demand_id: string | null | undefined,
  now: Micros,
): Row[] {
  const { fee_cents } = source;
  const captured = transferOf('captured', source, amount_cents, payment_demand_id, now);
  if (Number(fee_cents) <= 0) return [captured];
  return [captured, transferOf('fee', source, fee_cents, payment_demand_id, now)];
}

const refundKinds: Readonly<Record<string, TransferKind>> = {
  succeeded: 'refunded',
  failed: 'refund_released',
};

/** Transfers of changed refunds. A new refund has no `before`. */
export function transfersOfRefunds(changedRows: readonly ChangedFollowUp[], now: Micros): Row[] {
  return changedRows.flatMap(({ before, after }) => {
    const kind = before ? refundKinds[after.status as string] : 'refund_reserved';
    if (!kind || before?.status === after.status) return [];
    return [transferOf(kind, after, after.amount_cents, after.payment_demand_id, now)];
  });
}

const disputeKinds: Readonly<Record<string, TransferKind>> = {
  needs_response: 'dispute_opened',
  won: 'dispute_won',
  lost: 'dispute_lost',
};

/** Transfers of a dispute's new state; `before` is the one before. Empty if the state moves no money. */
export function transfersOfDispute(dispute: Row, now: Micros, before?: Row['status']): Row[] {
  const { amount_cents, payment_demand_id } = dispute;
  return kindsOfDispute(dispute, before).map((kind) =>
    transferOf(kind, dispute, amount_cents, payment_demand_id, now),
  );
}

/** A second chargeback implies that the first one was returned, also where nobody has notified of that. */
function kindsOfDispute(
  { status, second_chargeback_at = null }: Row,
  before: Row['status'] | undefined,
): readonly TransferKind[] {
  if (status === 'lost' && second_chargeback_at !== null)
    return before === 'won' ? ['second_chargeback'] : ['dispute_won', 'second_chargeback'];
  const kind = disputeKinds[status as string];
  return kind ? [kind] : [];
}

/** A transfer for a change of the given record, in minor units of its currency. */
export function transferOf(
  kind: TransferKind,
  { merchant_id = null, mode = null, id: source_id = null, amount_currency = null }: Row,
  amount_cents: string | null | undefined,
  payment_demand_id: string | null | undefined,
  now: Micros,
): Row {
  const { debit, credit } = transferKinds[kind];
  return {
    merchant_id,
    mode,
    id: uuidv7(now),
    kind,
    debit_account: debit,
    credit_account: credit,
    amount_cents: amount_cents ?? null,
    amount_currency,
    source_id,
    payment_demand_id: payment_demand_id ?? null,
    created_at: instantText(now),
  };
}
