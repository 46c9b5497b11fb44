import type { PaymentSums } from '@florin/contract/payment-sums.ts';
import { filtersOfTab, tabOf } from '@florin/contract/payment-tabs.ts';
import type { RequestContext } from '../../../jsonapi/behaviour.ts';
import type { ListSearch } from '../../../jsonapi/reading/list-page.ts';
import type { Reader } from '../../../jsonapi/reading/read.ts';
import { queryInTime } from '../../../platform/concurrency/query-in-time.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Services } from '../../../services.ts';

/** Payments that are summed at most, and the time for it. */
const SUMMED_MAX = 500_000;
const STATEMENT_MS = 1_500;
const COLUMNS = [
  'amount_currency',
  'amount_captured_cents',
  'amount_authorised_cents',
  'failure_reason',
];

interface SummedList {
  /** Address of the list: its tab, and filters as in the interface. */
  readonly address: Readonly<Record<string, string>>;
  readonly found: ListSearch | undefined;
}

/**
 * Sums the approved payments of a list by currency, the currency of most payments first. Throws a problem for filters that
 * the list refuses, and rejects with `OverloadedError` beyond the concurrency limit.
 */
export type ListSummer = (ctx: RequestContext, list: SummedList) => Promise<PaymentSums>;

export function createListSummer(
  { models, reads, dashboard_limiter }: Services,
  reader: Reader,
): ListSummer {
  const payments = models.get('payment_demands');
  return (ctx, { address, found }) =>
    dashboard_limiter.run(async () => {
      const query = new URLSearchParams(filtersOfTab(tabOf(address), address)).toString();
      const restriction = found?.restriction;
      const wanted = { columns: COLUMNS, max: SUMMED_MAX + 1, restriction };
      const { sql, values } = reader.selectStatement(ctx, payments, query, wanted);
      const rows = await queryInTime(reads, { sql: sumSql(sql), values, limit_ms: STATEMENT_MS });
      return rows ? sumsOf(rows) : { currencies: [], is_complete: false };
    }, ctx.scope.merchant_id);
}

/** Approved as in the overview: the bank approved the amount, and the payment did not fail afterwards. */
const sumSql = (listedSql: string): string => `
  select amount_currency, count(*) as listed, count(*) filter (where is_approved) as approved,
    coalesce(sum(amount_captured_cents) filter (where is_approved), 0) as volume_cents
  from (select *, amount_authorised_cents > 0 and failure_reason is null as is_approved from (${listedSql}) listed) l
  group by amount_currency order by approved desc, amount_currency`;

function sumsOf(rows: readonly Row[]): PaymentSums {
  const listed = rows.reduce((sum, row) => sum + Number(row.listed), 0);
  const currencies = rows
    .map((row) => ({
      currency: row.amount_currency as string,
      approved: Number(row.approved),
      volume_cents: row.volume_cents as string,
    }))
    .filter(({ approved }) => approved > 0);
  return { currencies, is_complete: listed <= SUMMED_MAX };
}
