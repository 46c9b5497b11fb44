import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isoOf, pageOf, pageStartOf } from '../../../http/page-cursor.ts';
import { notFound } from '../../../jsonapi/problems.ts';
import { isStorable } from '../../../jsonapi/values/text.ts';
import { isTrue, type Row } from '../../../platform/database/row.ts';
import { instantText } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { merchantStatuses, processingStatus } from '../../merchants/status-view.ts';
import {
  enforcementActionsAgainst,
  type MerchantSearch,
  merchantCounts,
  merchantDetail,
  operatorActionsOf,
  processorsOf,
  redFlagsOf,
  searchMerchants,
} from '../sql/merchants.ts';
import { idOfPath, OPERATOR_MERCHANT, OPERATOR_PATH } from './operator-action.ts';
import { PAGE_SIZE } from './operator-list.ts';

const SEARCH_MAX = 100;
/** Maximum number of listed rows of each kind on a merchant's page. */
const LISTED_MAX = 200;
/** Highest number that a record count shows. */
const COUNTED_MAX = 10_000;

/** Operators' routes to search merchants and read their details. */
export function registerOperatorMerchants(fastify: FastifyInstance, services: Services): void {
  const { reads, system_clock } = services;
  fastify.get(`${OPERATOR_PATH}/merchants`, async (request) => {
    const reviewFilter = onlyOf(request);
    const rows = await searchMerchants(reads, {
      text: textOf(request),
      only: reviewFilter,
      now: instantText(system_clock.now()),
      limit: PAGE_SIZE + 1,
      after: pageStartOf(request),
    });
    return pageOf(
      rows,
      PAGE_SIZE,
      reviewFilter === 'review_due' ? 'review_due_at' : 'created_at',
      (row) => summaryOf(services, row),
    );
  });
  fastify.get(OPERATOR_MERCHANT, async (request) => {
    const id = idOfPath(request, 'merchant');
    const row = await merchantDetail(reads, id);
    if (!row) throw notFound();
    const [counts, processors, flags, measures, entries] = await Promise.all([
      merchantCounts(reads, id, COUNTED_MAX),
      processorsOf(reads, id, LISTED_MAX),
      redFlagsOf(reads, id, LISTED_MAX),
      enforcementActionsAgainst(reads, id, LISTED_MAX),
      operatorActionsOf(reads, id, LISTED_MAX),
    ]);
    return {
      ...profileOf(services, row),
      counts,
      counted_max: COUNTED_MAX,
      processors,
      red_flags: flags.map(withIsoInstants),
      measures: measures.map(withIsoInstants),
      entries: entries.map(withIsoInstants),
    };
  });
}

const ONLY: readonly MerchantSearch['only'][] = ['all', 'submitted', 'held', 'review_due'];

function onlyOf({ query }: FastifyRequest): MerchantSearch['only'] {
  const { only = 'all' } = query as Readonly<Record<string, unknown>>;
  const filter = ONLY.find((value) => value === only);
  if (filter) return filter;
  throw problem('invalid_filter', `only must be one of ${ONLY.join(', ')}.`, { parameter: 'only' });
}

function textOf({ query }: FastifyRequest): string {
  const { search = '' } = query as Readonly<Record<string, unknown>>;
  if (typeof search === 'string' && search.length <= SEARCH_MAX && isStorable(search)) {
    return search.trim();
  }
  throw problem('invalid_filter', `search must have at most ${SEARCH_MAX} characters.`, {
    parameter: 'search',
  });
}

const INSTANT = /_at$/;

/** Row with its instants formatted as in the interface. */
const withIsoInstants = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      INSTANT.test(name) ? isoOf(value) : (value ?? null),
    ]),
  );

function summaryOf(services: Services, row: Row) {
  const { measure_live: _live, measure_sandbox: _sandbox, ...rest } = row;
  return { ...withIsoInstants(rest), standing: merchantStatuses(services, row) };
}

const profileOf = (services: Services, row: Row) => ({
  ...summaryOf(services, row),
  processing: processingStatus(services, row),
  prior_bankruptcies: row.prior_bankruptcies == null ? null : isTrue(row.prior_bankruptcies),
});
