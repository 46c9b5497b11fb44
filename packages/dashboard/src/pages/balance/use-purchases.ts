import type { LedgerLine } from '@florin/contract/ledger-page.ts';
import { useQuery } from '@tanstack/react-query';
import { pageQuery } from '../../api/queries.ts';
import { useCan, useScope } from '../../api/scope.ts';
import { includedByKey, relatedOf } from '../../parts/table/column.ts';

/** Returns payer and reference of the payments of ledger lines, by id: `Ada Lovelace · order-1001`. */
export function usePurchases(lines: readonly LedgerLine[]): ReadonlyMap<string, string> {
  const scope = useScope();
  const can = useCan();
  const ids = [...new Set(lines.flatMap(({ payment_demand_id }) => payment_demand_id ?? []))];
  const { data } = useQuery({
    ...pageQuery(scope, 'payment_demands', {
      'filter[id]': ids.join(','),
      ...(can('consumer.customers.read') && { include: 'payer' }),
    }),
    enabled: ids.length > 0 && can('transaction.payment_demands.read'),
  });
  const included = includedByKey(data?.included ?? []);
  return new Map(
    data?.data.map((payment) => {
      const payer = relatedOf(payment, included)('payer')?.attributes;
      const texts = [payer?.name || payer?.email, payment.attributes.purchase_reference];
      return [payment.id, texts.filter(Boolean).join(' · ')] as const;
    }),
  );
}
