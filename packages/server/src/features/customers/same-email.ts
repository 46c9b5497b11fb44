import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requirePermission } from '../../jsonapi/permissions.ts';
import type { Reader } from '../../jsonapi/reading/read.ts';
import { storable } from '../../jsonapi/values/text.ts';
import type { Services } from '../../services.ts';
import { memberContext } from '../people/dashboard/member-context.ts';
import { findByEmail } from './sql.ts';

/** Number of customers in the answer: the one whose page is open, and a duplicate. */
const CUSTOMERS_MAX = 2;
const EMAIL_MAX = 254;

/**
 * `GET /dashboard/api/customers?email=Ada@example.com`: the two oldest customers with an email address, in any case.
 * Omits merged customers.
 */
export function registerSameEmail(
  fastify: FastifyInstance,
  { services, reader }: { readonly services: Services; readonly reader: Reader },
): void {
  const customers = services.models.get('customers');
  fastify.get('/dashboard/api/customers', async (request, reply) => {
    const ctx = await memberContext(services, request, { type: customers.type });
    requirePermission(ctx, customers, 'read');
    const ids = await findByEmail(services.reads, ctx.scope, emailOf(request), CUSTOMERS_MAX);
    if (ids.length === 0) return { data: [] };
    const query = new URLSearchParams({ 'filter[id]': ids.join(','), sort: 'created_at' });
    const { body } = await reader.listRecords(ctx, customers, query.toString());
    return reply.type('application/json').send(body);
  });
}

/** Reads the address from the query. Throws 422 for one that is absent or too long. */
function emailOf({ query }: FastifyRequest): string {
  const { email } = query as Readonly<Record<string, unknown>>;
  const text = typeof email === 'string' ? storable(email).trim() : '';
  if (text !== '' && text.length <= EMAIL_MAX) return text;
  throw problem('invalid_value', `email must be a text of 1 to ${EMAIL_MAX} characters.`, {
    parameter: 'email',
  });
}
