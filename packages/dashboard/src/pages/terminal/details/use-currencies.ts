import { useQuery } from '@tanstack/react-query';
import { pageQuery, recordQuery } from '../../../api/queries.ts';
import { useCan, useScope } from '../../../api/scope.ts';

/** Currency of a merchant without payments whose settings the member may not read. */
export const FALLBACK = 'USD';

interface Currencies {
  readonly accepted: readonly string[];
  /** Currency of the newest payment, or the first accepted one; undefined until it is known. */
  readonly usual: string | undefined;
}

/** Reads the currencies that the merchant accepts, and its usual one. */
export function useCurrencies(): Currencies {
  const scope = useScope();
  const can = useCan();
  const merchant = useQuery({
    ...recordQuery(scope, 'merchants', scope.merchant),
    enabled: can('user.merchants.read'),
  });
  const newest = useQuery({
    ...pageQuery(scope, 'payment_demands', { 'page[size]': '1' }),
    enabled: can('transaction.payment_demands.read'),
  });
  const last = newest.data?.data[0]?.attributes.amount_currency;
  const accepted = merchant.data?.record.attributes.accepted_currencies ?? [last ?? FALLBACK];
  const usual = last && accepted.includes(last) ? last : (accepted[0] ?? FALLBACK);
  return { accepted, usual: merchant.isLoading || newest.isLoading ? undefined : usual };
}
