import { problem } from '@florin/contract/errors.ts';
import { SEARCH_TEXT_MAX, SEARCH_TEXT_MIN } from '@florin/contract/search.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requirePermission } from '../../jsonapi/permissions.ts';
import { codePoints, storable } from '../../jsonapi/values/text.ts';
import type { Services } from '../../services.ts';
import { memberContext } from '../people/dashboard/member-context.ts';
import { createSearch, maySearch } from './search.ts';

/** `GET /dashboard/api/search?q=lovelace`: the newest records of a merchant and mode that match the text, by type. */
export function registerSearch(fastify: FastifyInstance, services: Services): void {
  const search = createSearch(services);
  fastify.get('/dashboard/api/search', async (request) => {
    const ctx = await memberContext(services, request, { type: 'customers' });
    if (!maySearch(services, ctx))
      requirePermission(ctx, services.models.get('payment_demands'), 'read');
    return search(ctx, textOf(request));
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
