import { problem } from '@florin/contract/errors.ts';
import {
  SEARCH_HITS,
  SEARCH_HITS_MAX,
  SEARCH_TEXT_MAX,
  SEARCH_TEXT_MIN,
} from '@florin/contract/search.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requirePermission } from '../../jsonapi/permissions.ts';
import type { Reader } from '../../jsonapi/reading/read.ts';
import { queryOf } from '../../jsonapi/request.ts';
import { codePoints, storable } from '../../jsonapi/values/text.ts';
import type { Services } from '../../services.ts';
import { memberContext } from '../people/dashboard/member-context.ts';
import { SEARCHED_PAYMENTS, type TakeSearch } from './payments/search-payments.ts';
import { createSearch, maySearch } from './search.ts';

/**
 * `GET /dashboard/api/search?q=lovelace&hits=20`: the newest records of a merchant and mode that match the text, by type,
 * with the number of matches.
 */
export function registerSearch(fastify: FastifyInstance, services: Services): void {
  const search = createSearch(services);
  fastify.get('/dashboard/api/search', async (request) => {
    const ctx = await memberContext(services, request, { type: 'customers' });
    if (!maySearch(services, ctx))
      requirePermission(ctx, services.models.get('payment_demands'), 'read');
    return search(ctx, textOf(request), hitsMaxOf(request));
  });
}

/**
 * `GET /dashboard/api/payments?q=lovelace&filter[status]=failed`: the list of payments as in the interface, with a search
 * beside its filters.
 */
export function registerSearchedPayments(
  fastify: FastifyInstance,
  services: Services,
  { reader, takeSearch }: { readonly reader: Reader; readonly takeSearch: TakeSearch },
): void {
  const payments = services.models.get('payment_demands');
  fastify.get(SEARCHED_PAYMENTS, async (request, reply) => {
    const ctx = await memberContext(services, request, { type: payments.type });
    requirePermission(ctx, payments, 'read');
    const query = new URLSearchParams(queryOf(request));
    const search = await takeSearch(ctx, query);
    const { body } = await reader.listRecords(ctx, payments, query.toString(), search);
    return reply.type('application/json').send(body);
  });
}

/** Reads the text from the query. Throws 422 for a text that is too short or too long. */
function textOf({ query }: FastifyRequest): string {
  const { q } = query as Readonly<Record<string, unknown>>;
  const text = typeof q === 'string' ? storable(q).trim() : '';
  const length = codePoints(text);
  if (length >= SEARCH_TEXT_MIN && length <= SEARCH_TEXT_MAX) return text;
  throw problem(
    'invalid_value',
    `q must be a text of ${SEARCH_TEXT_MIN} to ${SEARCH_TEXT_MAX} characters.`,
    { parameter: 'q' },
  );
}

/** Reads the number of results of each type from the query. Throws 422 for one that is out of range. */
function hitsMaxOf({ query }: FastifyRequest): number {
  const { hits } = query as Readonly<Record<string, unknown>>;
  if (hits === undefined) return SEARCH_HITS;
  const number = typeof hits === 'string' && /^\d{1,3}$/.test(hits) ? Number(hits) : 0;
  if (number >= 1 && number <= SEARCH_HITS_MAX) return number;
  throw problem('invalid_value', `hits must be a number from 1 to ${SEARCH_HITS_MAX}.`, {
    parameter: 'hits',
  });
}
