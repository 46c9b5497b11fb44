import type { PaymentDemandState } from '@florin/contract/machines/payment-demand.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText } from '../../platform/database/transition.ts';
import type { PaymentClaims } from '../ledger/sql/payment-claims.ts';
import type { FollowUpKind } from './kinds.ts';

/** What refunds and disputes take of a payment, or may still take. */
export type Claims = PaymentClaims;

/** Minor units by which refunds and disputes together exceed what was captured; below 0 where something is left. */
export const overclaimedOf = (
  { amount_captured_cents }: Row,
  { refunded, reserved, open, lost }: Claims,
): number => refunded + reserved + open + lost - Number(amount_captured_cents);

/** Minor units that can still be refunded. Disputes count while they are open and once they are lost. */
export const refundableOf = (payment: Row, claims: Claims): number =>
  Math.max(0, 0 - overclaimedOf(payment, claims));

/**
 * The state of a captured payment. `reversed`: lost disputes, with refunds, have taken all of it. That stays so, since
 * neither a loss nor a refund is undone.
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

/** The trigger that brings a captured payment into the state that follows from its claims; undefined where it is in it. */
export function triggerOf(payment: Row, claims: Claims): string | undefined {
  const state = stateOf(payment, claims);
  return state === payment.status ? undefined : triggers[state];
}

/** Says of one follow-up after the other whether it may be sent; one that may not frees its part for those after it. */
export type MaySend = (followUp: Row, payment: Row | undefined) => boolean;

/** Only what its payment has room for may be sent, and while that is in the right state: a dispute gives money back too. */
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
