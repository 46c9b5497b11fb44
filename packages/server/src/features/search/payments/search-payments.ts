import { problem } from '@florin/contract/errors.ts';
import { SEARCH_TEXT_MAX } from '@florin/contract/search.ts';
import type { RequestContext } from '../../../jsonapi/behaviour.ts';
import type { Statement } from '../../../jsonapi/filter-to-sql/parameters.ts';
import type { ListSearch } from '../../../jsonapi/reading/list-page.ts';
import { codePoints, storable } from '../../../jsonapi/values/text.ts';
import { queryInTime } from '../../../platform/concurrency/query-in-time.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Services } from '../../../services.ts';
import { createFinder } from '../finder.ts';
import { readSearchText, type SearchText } from '../search-text.ts';
import { mayHaveIncomplete } from './list-query.ts';
import { idsStatement, readIds } from './sql/find-ids.ts';
import { payersStatement, readPayers } from './sql/payers.ts';
import { isPart, type PaymentTerms, waysOf } from './sql/ways.ts';

/** Time for both statements that find payments. Without a result in time, the list tests its payments in order. */
const FIND_MS = 500;
/** Payments that a list tests in order, until they fill its page. */
const TESTED = [1_000, 20_000] as const;

/** Path of the list of payments that a search restricts. */
export const SEARCHED_PAYMENTS = '/dashboard/api/payments';
const PARAMETER = 'q';

/**
 * Takes the search text out of a list's query, and finds its payments. A text is a part of a name, email or reference, an
 * amount, last four digits or an id. Undefined without a text. Throws 422 for a text that is too long, and rejects with `OverloadedError`
 * beyond the concurrency limit.
 */
export type TakeSearch = (
  ctx: RequestContext,
  query: URLSearchParams,
) => Promise<ListSearch | undefined>;

type SearchServices = Pick<Services, 'reads' | 'models' | 'config' | 'dashboard_limiter'>;

export function createPaymentSearch(services: SearchServices): TakeSearch {
  return async (ctx, query) => {
    const text = textOf(query);
    query.delete(PARAMETER);
    if (text === undefined) return undefined;
    const find = () =>
      findPayments(services, ctx, { text, with_incomplete: mayHaveIncomplete(query) });
    return services.dashboard_limiter.run(find, ctx.scope.merchant_id);
  };
}

function textOf(query: URLSearchParams): string | undefined {
  const typed = query.get(PARAMETER);
  const text = typed === null ? '' : storable(typed).trim();
  if (text === '') return undefined;
  if (codePoints(text) <= SEARCH_TEXT_MAX) return text;
  throw problem('invalid_value', `q must be a text of at most ${SEARCH_TEXT_MAX} characters.`, {
    parameter: PARAMETER,
  });
}

interface Wanted {
  readonly text: string;
  readonly with_incomplete: boolean;
}

async function findPayments(
  services: SearchServices,
  ctx: RequestContext,
  { text, with_incomplete }: Wanted,
): Promise<ListSearch> {
  const { scope } = ctx;
  const run = inTime(services);
  const terms = await termsOf(services, ctx, readSearchText(text), run);
  const ways = waysOf(terms);
  const statement = idsStatement(scope, { terms, ways, with_incomplete });
  const found = statement && readIds(await run(statement));
  return {
    path: SEARCHED_PAYMENTS,
    parameter: { name: PARAMETER, value: text },
    restriction: {
      ...(found && { ids: found.ids }),
      tested: TESTED,
      matches: (alias, parameters) =>
        `(${ways.map((way) => way.matches(alias, parameters)).join(' or ')})`,
    },
    meta: { by: ways.map(({ kind }) => kind), is_complete: found?.has_all ?? true },
  };
}

/** Leaves out what the caller may not read. */
async function termsOf(
  services: SearchServices,
  ctx: RequestContext,
  text: SearchText,
  run: Run,
): Promise<PaymentTerms> {
  const { mayRead } = createFinder(services, ctx);
  return {
    ...text,
    last_four: mayRead('payment_methods') ? text.last_four : null,
    payers:
      mayRead('customers') && isPart(text)
        ? readPayers(await run(payersStatement(ctx.scope, text)))
        : null,
  };
}

/** Runs a statement that returns a row. Undefined if the time of the search is over. */
type Run = (statement: Statement) => Promise<Row | undefined>;

/** All statements of a search share its time. */
function inTime({ reads, config }: SearchServices): Run {
  const until = config.monotonic_ms() + FIND_MS;
  return async (statement) => {
    const limit_ms = Math.floor(until - config.monotonic_ms());
    if (limit_ms < 1) return undefined;
    return (await queryInTime(reads, { ...statement, limit_ms }))?.[0];
  };
}
