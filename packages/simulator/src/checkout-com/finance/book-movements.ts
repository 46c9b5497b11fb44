import type { CheckoutServices } from '../call.ts';
import type { StoredDispute } from '../disputes/dispute-books.ts';
import type { DisputeStatus } from '../disputes/states.ts';
import type { StoredAction, StoredPayment } from '../records.ts';

/** Response code of movements that no issuer decides. */
const DISPUTE_CODE = '10000';

/** Movement of a dispute that reaches a status: its breakdown type, and whether the merchant is credited. */
const movementByStatus: Readonly<
  Partial<Record<DisputeStatus, readonly [breakdown: string, direction: 1 | -1]>>
> = {
  evidence_required: ['Chargeback (ADJM)', -1],
  canceled: ['Chargeback (CBRV)', 1],
  won: ['Chargeback (RPDW)', 1],
  resolved: ['Chargeback (AUTO)', 1],
  arbitration_under_review: ['Chargeback (ADJM)', -1],
  arbitration_won: ['Chargeback (ARBW)', 1],
};

/** Books the movement of an action with its outcome. Declined captures and refunds move nothing. Voids move nothing. */
export function bookAction(
  { books }: CheckoutServices,
  payment: StoredPayment,
  action: StoredAction,
): void {
  const movement = movementOfAction(payment, action);
  if (!movement) return;
  const { type, breakdown, amount } = movement;
  books.movements.insert({
    action: action.id,
    payment: payment.id,
    channel: payment.channel,
    reference: action.reference,
    type,
    breakdown,
    amount,
    currency: payment.currency,
    code: action.facts.code,
    requestedAt: action.requestedAt,
    processedAt: action.dueAt,
  });
}

function movementOfAction(
  { amount: whole }: StoredPayment,
  { type, amount, state }: StoredAction,
):
  | { readonly type: string; readonly breakdown: string | null; readonly amount: number }
  | undefined {
  // Fees are due for declined authorisations too.
  if (type === 'Authorization' || type === 'Card Verification')
    return { type, breakdown: null, amount: 0 };
  if (type === 'Void' || state !== 'approved') return undefined;
  const name = amount < whole ? `Partial ${type}` : type;
  return { type: name, breakdown: name, amount: type === 'Capture' ? amount : -amount };
}

/** Books the movement of a dispute that has reached its status. */
export function bookDispute({ books }: CheckoutServices, dispute: StoredDispute): void {
  const [breakdown, direction] = movementByStatus[dispute.status] ?? [];
  if (breakdown === undefined || direction === undefined) return;
  books.movements.insert({
    action: dispute.id,
    payment: dispute.payment,
    channel: dispute.channel,
    reference: dispute.reference,
    type: 'Chargeback',
    breakdown,
    amount: direction * dispute.amount,
    currency: dispute.currency,
    code: DISPUTE_CODE,
    requestedAt: dispute.receivedAt,
    processedAt: dispute.updatedAt,
  });
}
