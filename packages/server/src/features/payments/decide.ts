import type { Problem } from '@florin/contract/errors.ts';
import {
  type PaymentDemandState,
  paymentDemandActions,
} from '@florin/contract/machines/payment-demand.ts';
import type { MerchantSettings } from '../../platform/caller.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import { BY_WALLET, isAuthenticatedByWallet, isProven } from './columns.ts';

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

/** Settings of a merchant that decide about authentications. */
export type ThreeDSecureRules = Pick<MerchantSettings, 'threeds' | 'accepts_asserted_threeds'>;

/**
 * Problems that prevent a confirmation: unset values, and a 3-D Secure result that the merchant does
 * not accept.
 */
export function confirmationProblems(row: Row, rules: ThreeDSecureRules, now: Micros): Problem[] {
  const needsIssuer = needsAuthentication(row, rules, now);
  const requiredColumns = needsIssuer ? [...alwaysNeeded, ...threeDSecureNeeded] : alwaysNeeded;
  const demand: Row = row.threeds_status === BY_WALLET ? { ...row, threeds_status: null } : row;
  const missingColumns = requiredColumns.filter((column) => (demand[column] ?? null) === null);
  const refusal = needsIssuer && demand.threeds_status ? refusalOf(demand, rules) : undefined;
  return [...missingColumns.map(blankProblem), ...(refusal ? [refusal] : [])];
}

/** Why a result does not satisfy `required`: it proves nothing, or only the client confirms it. */
function refusalOf(
  demand: Row,
  { accepts_asserted_threeds }: ThreeDSecureRules,
): Problem | undefined {
  if (!isProven(demand)) return unprovenProblem;
  const isAccepted = demand.threeds_source === 'verified' || accepts_asserted_threeds;
  return isAccepted ? undefined : assertedProblem;
}

/** Whether the issuer must have authenticated the payer. An absent payer needs no authentication. */
const needsAuthentication = (row: Row, { threeds }: ThreeDSecureRules, now: Micros): boolean =>
  threeds === 'required' && row.initiator !== 'merchant' && !isAuthenticatedByWallet(row, now);

/** Error for a missing value that a confirmation needs. */
export const blankProblem = (column: string): Problem => ({
  code: 'blank',
  detail: `${column.replace(/_id$/, '')} must have a value before the confirmation.`,
  source: { pointer: pointerOf(column) },
});

const unprovenProblem: Problem = {
  code: 'authentication_required',
  detail:
    'The merchant requires 3-D Secure, and only the results Y and A authenticate the payer. Show the payment form again.',
  source: { pointer: pointerOf('threeds_status') },
};

const assertedProblem: Problem = {
  code: 'authentication_required',
  detail:
    'The merchant accepts only 3-D Secure results that Florin verified. Show the payment form, or set the policy to required_or_asserted.',
  source: { pointer: pointerOf('threeds_status') },
};

/** JSON Pointer to the attribute or relationship of a column. */
export function pointerOf(column: string): string {
  return column.endsWith('_id')
    ? `/data/relationships/${column.slice(0, -'_id'.length)}`
    : `/data/attributes/${column}`;
}

/** Trigger that moves an intent to the state that fits its content; undefined in that state. */
export function intentTrigger(
  row: Row,
  rules: ThreeDSecureRules,
  now: Micros,
): 'complete' | 'reopen' | undefined {
  const complete = confirmationProblems(row, rules, now).length === 0;
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
