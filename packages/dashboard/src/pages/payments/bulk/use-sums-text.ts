import { useAmountText } from '../../../parts/value/money.tsx';
import type { RefundPlan } from './plan.ts';

/** Returns a function that writes sums of several currencies: `$22.00 + €5.00`. */
export function useSumsText(): (sums: RefundPlan['sums']) => string {
  const amountText = useAmountText();
  return (sums) => sums.map(({ currency, cents }) => amountText(cents, currency)).join(' + ');
}
