import type { ActionType, StoredAction, StoredPayment } from './records.ts';

/** Balances of a payment in minor units, with the names of the interface. */
export interface PaymentBalances {
  readonly total_authorized: number;
  readonly total_voided: number;
  readonly available_to_void: number;
  readonly total_captured: number;
  readonly available_to_capture: number;
  readonly total_refunded: number;
  readonly available_to_refund: number;
}

/** Balances from a payment's actions. Pending actions reduce what is available. */
export function balancesOf(
  { status }: StoredPayment,
  actions: readonly StoredAction[],
): PaymentBalances {
  const approvedSum = (type: ActionType): number => sumOf(actions, type, ['approved']);
  const total_authorized = approvedSum('Authorization');
  const total_captured = approvedSum('Capture');
  const total_refunded = approvedSum('Refund');
  const voided = approvedSum('Void') + releasedOf(actions, ['approved']);
  const isOver = status !== 'Authorized';
  const total_voided = isOver ? total_authorized - total_captured : voided;
  const reserved =
    sumOf(actions, 'Capture', ['pending']) +
    sumOf(actions, 'Void', ['pending']) +
    releasedOf(actions, ['pending']);
  const open = total_authorized - total_captured - total_voided - reserved;
  const available = isOver ? 0 : open;
  return {
    total_authorized,
    total_voided,
    available_to_void: total_captured > 0 ? 0 : available,
    total_captured,
    available_to_capture: available,
    total_refunded,
    available_to_refund: total_captured - sumOf(actions, 'Refund', ['approved', 'pending']),
  };
}

const sumOf = (
  actions: readonly StoredAction[],
  type: ActionType,
  states: readonly StoredAction['state'][],
): number =>
  actions
    .filter((action) => action.type === type && states.includes(action.state))
    .reduce((sum, { amount }) => sum + amount, 0);

/** Parts of the authorisation that final captures release. */
const releasedOf = (
  actions: readonly StoredAction[],
  states: readonly StoredAction['state'][],
): number =>
  actions
    .filter(({ state }) => states.includes(state))
    .reduce((sum, { facts }) => sum + (facts.released ?? 0), 0);

/** Status of a payment with its captures, voids and refunds. */
export function currentStatusOf(
  { status }: StoredPayment,
  { total_authorized, total_captured, total_refunded }: PaymentBalances,
): string {
  if (total_refunded > 0)
    return total_refunded >= total_captured ? 'Refunded' : 'Partially Refunded';
  if (total_captured > 0)
    return total_captured >= total_authorized ? 'Captured' : 'Partially Captured';
  return status;
}
