import { incompleteStates } from '@florin/contract/payment-tabs.ts';

const INCOMPLETE: readonly string[] = incompleteStates;

/** Whether the filters of a list leave incomplete payments. Only payments with an outcome have refunds. */
export function mayHaveIncomplete(query: URLSearchParams): boolean {
  const statesOf = (name: string) => query.get(name)?.split(',');
  const excluded = statesOf('filter[status][ne]') ?? [];
  if (INCOMPLETE.every((state) => excluded.includes(state))) return false;
  if (query.has('filter[refund_demands.status]')) return false;
  const chosen = statesOf('filter[status]');
  return !chosen || chosen.some((state) => INCOMPLETE.includes(state));
}
