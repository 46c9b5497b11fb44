import type { PaymentDemandState } from '@florin/contract/machines/payment-demand.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText } from '../../platform/database/row-key.ts';
import type { ReservedAmounts } from '../ledger/sql/reserved-amounts.ts';
import type { FollowUpKind } from './kinds.ts';

/** Parts of a payment that refunds and disputes use, or may still use. */
export type Claims = ReservedAmounts;

/**
 * Minor units by which refunds and disputes together exceed the captured amount; negative if
 * something remains.
 */
export const overclaimedOf = (
  { amount_captured_cents }: Row,
  { refunded, reserved, open, lost }: Claims,
): number => refunded + reserved + open + lost - Number(amount_captured_cents);

/** Minor units that can still be refunded. Open and lost disputes count. */
export const refundableOf = (payment: Row, claims: Claims): number =>
  Math.max(0, 0 - overclaimedOf(payment, claims));

/**
 * State of a captured payment. `reversed`: lost disputes, with refunds, have used all of it; this
 * is final, since neither can be undone.
 */
export function stateOf(payment: Row, { refunded, open, lost }: Claims): PaymentDemandState {
  if (lost > 0 && lost + refunded >= Number(payment.amount_captured_cents)) return 'reversed';
  return open > 0 ? 'disputed' : 'succeeded';
}

const triggers: Readonly<Partial<Record<PaymentDemandState, string>>> = {
  disputed: 'dispute',
  reversed: 'reverse',
  succeeded: 'close',
};

/**
 * The trigger that brings a captured payment into the state of its reserved amounts; undefined if
 * already there.
 */
export function triggerOf(payment: Row, claims: Claims): string | undefined {
  const state = stateOf(payment, claims);
  return state === payment.status ? undefined : triggers[state];
}

/**
 * Decides for each follow-up in turn whether it may be sent; a refused one releases its amount for
 * the next.
 */
export type MaySend = (followUp: Row, payment: Row | undefined) => boolean;

/**
 * A follow-up may be sent if its amount is available and its payment's state allows it: a dispute
 * gives money back too.
 */
export function createMaySend(
  { sentWhile }: Pick<FollowUpKind, 'sentWhile'>,
  claims: ReadonlyMap<string, Claims>,
): MaySend {
  const freed = new Map<string, number>();
  return ({ amount_cents }, payment) => {
    if (payment?.status !== sentWhile) return false;
    const key = keyText(payment);
    const [own, free] = [claims.get(key), freed.get(key) ?? 0];
    if (!own || overclaimedOf(payment, own) <= free) return true;
    freed.set(key, free + Number(amount_cents));
    return false;
  };
}
