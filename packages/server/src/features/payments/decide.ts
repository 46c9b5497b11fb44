import {
  type PaymentDemandState,
  paymentDemandActions,
} from '@florin/contract/machines/payment-demand.ts';
import type { ThreeDSecurePolicy } from '../../platform/caller.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import { BY_WALLET, isAuthenticatedByWallet } from './columns.ts';

const alwaysNeeded = [
  'purchase_reference',
  'purchase_kind',
  'payer_id',
  'payment_method_id',
  'billing_address_id',
] as const;

/**
 * Columns of an authentication result that a confirmation needs. The cryptogram is optional:
 * frictionless results may lack it.
 */
const threeDSecureNeeded = [
  'threeds_version',
  'threeds_status',
  'eci',
  'directory_transaction_eid',
  'acs_transaction_eid',
] as const;

/** Unset columns that a confirmation needs. An absent customer needs no authentication. */
export function missingForConfirm(row: Row, policy: ThreeDSecurePolicy, now: Micros): string[] {
  const isAuthenticatedByBank =
    policy === 'required' && row.initiator !== 'merchant' && !isAuthenticatedByWallet(row, now);
  const requiredColumns: readonly string[] = isAuthenticatedByBank
    ? [...alwaysNeeded, ...threeDSecureNeeded]
    : alwaysNeeded;
  const demand: Row = row.threeds_status === BY_WALLET ? { ...row, threeds_status: null } : row;
  return requiredColumns.filter((column) => (demand[column] ?? null) === null);
}

/** JSON Pointer to the attribute or relationship of a column. */
export const pointerOf = (column: string): string =>
  column.endsWith('_id')
    ? `/data/relationships/${column.slice(0, -'_id'.length)}`
    : `/data/attributes/${column}`;

/** Trigger that moves an intent to the state that fits its content; undefined in that state. */
export function intentTrigger(
  row: Row,
  policy: ThreeDSecurePolicy,
  now: Micros,
): 'complete' | 'reopen' | undefined {
  const complete = missingForConfirm(row, policy, now).length === 0;
  if (row.status === 'incomplete' && complete) return 'complete';
  if (row.status === 'ready' && !complete) return 'reopen';
  return undefined;
}

/** Columns of a payment that becomes due, for the first time or again. */
export const dueSet = (now: Micros): Row => ({
  failure_reason: null,
  unsent_count: '0',
  unsent_since: null,
  resent_count: null,
  fallback_after: null,
  due_at: instantText(now),
});

/** Whether the merchant may still change the payment's content. */
export const isChangeable = (status: string): boolean => allowedActions(status).includes('update');

/** Actions that clients can use in this state. */
export const allowedActions = (status: string): readonly string[] =>
  paymentDemandActions[status as PaymentDemandState] ?? [];
