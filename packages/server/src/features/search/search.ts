import type { PaymentStateFacts } from '@florin/contract/payment-state.ts';
import { isCurrentType } from '@florin/contract/resources/define-resource.ts';
import type { SearchHit, SearchResults } from '@florin/contract/search.ts';
import { isoOf } from '../../http/page-cursor.ts';
import type { Model } from '../../jsonapi/model.ts';
import { isTrue, type Row } from '../../platform/database/row.ts';
import type { Services } from '../../services.ts';
import { createFinder, type Finder, type SearchContext, type SearchServices } from './finder.ts';
import { type IdRange, readSearchText, type SearchText } from './search-text.ts';
import { anyTypeSql, eventsSql } from './sql/ids.ts';
import { namesSql } from './sql/names.ts';
import { PAYERS_MAX, purchasesSql } from './sql/purchases.ts';

/** Types with statements of their own. Records of other types are found by their complete id. */
const SEARCHED_TYPES: ReadonlySet<string> = new Set([
  'customers',
  'payment_demands',
  'payment_subscriptions',
  'payment_links',
  'merchant_tokens',
  'events',
]);

/**
 * Finds records of a merchant and mode by a part of a name, email address or reference, by last four digits or by id.
 * Leaves out types that the caller may not read. Rejects with `OverloadedError` beyond the concurrency limit.
 */
export type Search = (
  ctx: SearchContext,
  text: string,
  /** Results of each type, 1 to `SEARCH_HITS_MAX`. */
  hits_max: number,
) => Promise<SearchResults>;

export function createSearch(
  services: SearchServices & Pick<Services, 'dashboard_limiter'>,
): Search {
  const { dashboard_limiter } = services;
  const otherTypes = services.models.all.filter(isOtherType);
  return (ctx, text, hits_max) =>
    dashboard_limiter.run(async () => {
      const finder = createFinder(services, ctx);
      const searchText = readSearchText(text);
      const rows = [
        ...(await findByText(finder, searchText, hits_max)),
        ...(searchText.ids
          ? await findByIds(finder, searchText.ids, { otherTypes, hits_max })
          : []),
      ];
      return {
        hits: rows.map((row) => hitOf(finder, row)),
        totals: totalsOf(rows),
        incomplete: finder.incomplete,
      };
    }, ctx.scope.merchant_id);
}

/** Whether the caller may read any of the types with statements of their own. */
export const maySearch = (services: SearchServices, ctx: SearchContext): boolean =>
  [...SEARCHED_TYPES].some(createFinder(services, ctx).mayRead);

const isOtherType = ({ type, has_mode, tenant_column, resource }: Model): boolean =>
  has_mode &&
  tenant_column === 'merchant_id' &&
  resource.operations.includes('fetch') &&
  isCurrentType(resource) &&
  !SEARCHED_TYPES.has(type);

async function findByText(finder: Finder, text: SearchText, hits_max: number): Promise<Row[]> {
  const values = [text.patterns, text.words, text.ids?.from, text.ids?.to];
  const payers_max = Math.max(PAYERS_MAX, hits_max);
  const customers = await finder.find('customers', namesSql('customers'), [...values, payers_max]);
  const last_four = finder.mayRead('payment_methods') ? text.last_four : null;
  const purchaseValues = [
    ...values,
    hits_max,
    text.whole,
    customers.map(({ payer_id }) => payer_id),
    last_four,
    payers_max,
  ];
  const rows = [customers.slice(0, hits_max)];
  for (const type of ['payment_demands', 'payment_subscriptions'] as const)
    rows.push([...(await finder.find(type, purchasesSql(type), purchaseValues))]);
  for (const type of ['payment_links', 'merchant_tokens'] as const)
    rows.push([...(await finder.find(type, namesSql(type), [...values, hits_max]))]);
  return rows.flat();
}

/** Events by the beginning of their id, or by the id of their record; records of other types by their complete id. */
async function findByIds(
  finder: Finder,
  { from, to }: IdRange,
  { otherTypes, hits_max }: { readonly otherTypes: readonly Model[]; readonly hits_max: number },
): Promise<Row[]> {
  const events = await finder.find('events', eventsSql, [from, to, hits_max]);
  if (from !== to) return [...events];
  const readableTypes = otherTypes.map(({ type }) => type).filter(finder.mayRead);
  const records = await finder.run('records', anyTypeSql(otherTypes), [from, readableTypes]);
  return [...records, ...events];
}

/** Numbers of matching records, which each row of a type repeats. */
const totalsOf = (rows: readonly Row[]): SearchResults['totals'] =>
  Object.fromEntries(
    rows
      .filter(({ total }) => total !== undefined)
      .map(({ type, total, total_is_minimum }) => [
        type,
        { count: Number(total), is_minimum: isTrue(total_is_minimum) },
      ]),
  );

/** The caller may read a payment, but not its payer or its card. */
const hitOf = ({ mayRead }: Finder, row: Row): SearchHit => ({
  type: row.type as string,
  id: row.id as string,
  title: isPurchase(row) && !mayRead('customers') ? null : (row.title ?? null),
  detail: row.detail ?? null,
  status: row.status ?? null,
  payment: row.type === 'payment_demands' ? paymentFactsOf(row) : null,
  amount_cents: row.amount_cents ?? null,
  amount_currency: row.amount_currency ?? null,
  last_four: mayRead('payment_methods') ? (row.last_four ?? null) : null,
  created_at: isoOf(row.created_at),
});

const paymentFactsOf = (row: Row): PaymentStateFacts => ({
  status: row.status as PaymentStateFacts['status'],
  cancellation_reason: row.cancellation_reason ?? null,
  amount_cents: Number(row.amount_cents),
  amount_captured_cents: Number(row.amount_captured_cents),
  amount_capturable_cents: Number(row.amount_authorised_cents) - Number(row.amount_captured_cents),
  amount_refunded_cents: Number(row.amount_refunded_cents),
});

const isPurchase = ({ type }: Row): boolean =>
  type === 'payment_demands' || type === 'payment_subscriptions';
