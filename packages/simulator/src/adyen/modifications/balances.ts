import type { AdyenPayment, Modification, ModificationState } from '../records.ts';

/** Sums of a payment in Adyen's minor units. */
export interface AdyenBalances {
  readonly captured: number;
  readonly refunded: number;
  /** Number of the captures. */
  readonly captures: number;
}

const EFFECTIVE: readonly ModificationState[] = ['succeeded', 'failing'];

/** Sums from a payment's modifications. Failed ones count no more. */
export function adyenBalancesOf(modifications: readonly Modification[]): AdyenBalances {
  const effective = modifications.filter(({ state }) => EFFECTIVE.includes(state));
  const captures = effective.filter(({ kind }) => kind === 'capture');
  const refunds = effective.filter(
    ({ kind, facts }) => kind === 'refund' || (kind === 'reversal' && facts.action === 'refund'),
  );
  const sumOf = (parts: readonly Modification[]): number =>
    parts.reduce((sum, { amount }) => sum + amount, 0);
  return { captured: sumOf(captures), refunded: sumOf(refunds), captures: captures.length };
}

/** Amount that a payment can still be captured for. */
export const capturableAmountOf = (
  { status, amount }: AdyenPayment,
  { captured, captures }: AdyenBalances,
  allowsSeveral: boolean,
): number => (status === 'authorised' && (captures === 0 || allowsSeveral) ? amount - captured : 0);
