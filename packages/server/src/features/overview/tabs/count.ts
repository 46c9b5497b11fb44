import {
  filtersOfTab,
  type PaymentTab,
  TAB_COUNT_MAX,
  type TabCount,
  type TabCounts,
} from '@florin/contract/payment-tabs.ts';
import type { RequestContext } from '../../../jsonapi/behaviour.ts';
import type { ListSearch } from '../../../jsonapi/reading/list-page.ts';
import type { Reader } from '../../../jsonapi/reading/read.ts';
import { queryInTime } from '../../../platform/concurrency/query-in-time.ts';
import type { Services } from '../../../services.ts';

/** Time limit of the statement that counts a tab. A request has six at most, one after the other. */
const STATEMENT_MS = 300;

/** Address of the list: its tab, and filters as in the interface. */
type AddressSearch = Readonly<Record<string, string>>;

/**
 * Counts payments in tabs under the filters of the list, and under a search. A tab that takes too long is left out. Throws a problem for
 * filters that the list refuses, and rejects with `OverloadedError` beyond the concurrency limit.
 */
export type TabCounter = (
  ctx: RequestContext,
  tabs: readonly PaymentTab[],
  search: AddressSearch,
  found?: ListSearch,
) => Promise<TabCounts>;

export function createTabCounter(
  { models, reads, dashboard_limiter }: Services,
  reader: Reader,
): TabCounter {
  const payments = models.get('payment_demands');
  return (ctx, tabs, search, found) =>
    dashboard_limiter.run(async () => {
      const counts: Partial<Record<PaymentTab, TabCount>> = {};
      for (const tab of tabs) {
        const query = new URLSearchParams(filtersOfTab(tab, search)).toString();
        const { sql, values } = reader.selectStatement(ctx, payments, query, {
          columns: [],
          max: TAB_COUNT_MAX + 1,
          restriction: found?.restriction,
        });
        const countSql = `select count(*) as total from (${sql}) counted`;
        const rows = await queryInTime(reads, { sql: countSql, values, limit_ms: STATEMENT_MS });
        const hasAll = tab !== 'incomplete' || found?.meta.is_complete !== false;
        if (rows) counts[tab] = limited(Number(rows[0]?.total), hasAll);
      }
      return counts;
    }, ctx.scope.merchant_id);
}

const limited = (count: number, hasAll: boolean): TabCount => ({
  count: Math.min(count, TAB_COUNT_MAX),
  is_minimum: count > TAB_COUNT_MAX || !hasAll,
});
