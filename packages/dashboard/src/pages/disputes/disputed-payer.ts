import { useCan } from '../../api/scope.ts';

/** Path from a dispute to the payer of its payment. */
export const PAYER = 'payment_demand.payer';

/** Returns the relations of a dispute that name the payer; empty if the person may not read them. */
export function usePayerInclude(): string {
  const can = useCan();
  return can('transaction.payment_demands.read') && can('consumer.customers.read') ? PAYER : '';
}
