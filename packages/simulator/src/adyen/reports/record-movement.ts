import type { AdyenServices } from '../call.ts';
import type { AdyenPayment, Modification } from '../records.ts';
import type { AdyenMovementType } from './movement-books.ts';

/** Records the money that a modification's new state moves, if it moves any. Runs inside a commit. */
export function recordModificationMovement(
  { books, now }: AdyenServices,
  modification: Modification,
  { psp: payment }: AdyenPayment,
): void {
  const type = movementTypeOf(modification);
  if (!type) return;
  const { account, psp, reference, amount, currency } = modification;
  books.movements.add({
    account,
    type,
    payment,
    modification: psp,
    reference: reference ?? '',
    amount,
    currency,
    at: now(),
  });
}

function movementTypeOf({ kind, state, facts }: Modification): AdyenMovementType | undefined {
  const isRefund = kind === 'refund' || facts.action === 'refund';
  if (kind !== 'capture' && !isRefund) return undefined;
  if (state === 'failed') return isRefund ? 'RefundedReversed' : 'SettledReversed';
  if (state !== 'succeeded' && state !== 'failing') return undefined;
  return isRefund ? 'Refunded' : 'Settled';
}
