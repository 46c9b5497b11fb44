import { problem } from '@florin/contract/errors.ts';
import type { PayoutLines } from '@florin/contract/payout-lines.ts';
import { permissionSlug } from '@florin/contract/permissions.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestContext } from '../../../jsonapi/behaviour.ts';
import { hasPermission, requirePermission } from '../../../jsonapi/permissions.ts';
import { queryOf } from '../../../jsonapi/request.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { Services } from '../../../services.ts';
import { memberContext } from '../../people/dashboard/member-context.ts';
import { csvHeaders } from '../csv-headers.ts';
import type { RequireExportQuota } from '../export-quota.ts';
import { readWording } from '../payments/format.ts';
import type { ReadableParts } from './columns.ts';
import { createFileLimit } from './file-limit.ts';
import { readFirstLines } from './first-lines.ts';
import { findPayoutRange, type PayoutRange } from './sql.ts';
import { streamPayout } from './stream.ts';

/** Types that every line shows. */
const REQUIRED = ['payouts', 'ledger_transfers', 'payment_demands'] as const;

type PayoutRequest = FastifyRequest<{ Params: { id: string } }>;

/**
 * `GET /dashboard/api/payouts/<id>/lines.csv?timezone=Europe/Paris&language=fr`: every transfer that the payout pays, with
 * their sum. Payers and cards are empty for people who may not read them.
 */
export function registerPayoutExport(
  fastify: FastifyInstance,
  services: Services,
  requireQuota: RequireExportQuota,
): void {
  const { reads } = services;
  const runFile = createFileLimit();
  fastify.get('/dashboard/api/payouts/:id/lines.csv', async (request: PayoutRequest, reply) => {
    const ctx = await payoutContext(services, request);
    const wording = readWording(new URLSearchParams(queryOf(request)), ctx.settings.timezone);
    const range = await rangeOf(services, ctx, request);
    requireQuota(ctx.scope);
    const name = `payout-${range.settled_on}-${range.currency}-${ctx.scope.mode}`;
    const readable = readableParts(services, ctx);
    const lines = streamPayout(reads, { scope: ctx.scope, range, wording, readable });
    await runFile(ctx.scope.merchant_id, lines, (file) =>
      reply.headers(csvHeaders(name)).send(file),
    );
    return reply;
  });
}

/** `GET /dashboard/api/payouts/<id>/lines`: the first transfers that the payout pays, and the sum of all. */
export function registerPayoutLines(fastify: FastifyInstance, services: Services): void {
  fastify.get(
    '/dashboard/api/payouts/:id/lines',
    async (request: PayoutRequest): Promise<PayoutLines> => {
      const ctx = await payoutContext(services, request);
      const range = await rangeOf(services, ctx, request);
      const readable = readableParts(services, ctx);
      return services.dashboard_limiter.run(
        () => readFirstLines(services.reads, { scope: ctx.scope, range, readable }),
        ctx.scope.merchant_id,
      );
    },
  );
}

/** Context of a person who may read payouts and their lines. */
async function payoutContext(services: Services, request: PayoutRequest): Promise<RequestContext> {
  const ctx = await memberContext(services, request, { type: 'payouts' });
  for (const type of REQUIRED) requirePermission(ctx, services.models.get(type), 'read');
  return ctx;
}

async function rangeOf(
  { reads }: Services,
  { scope }: RequestContext,
  { params: { id } }: PayoutRequest,
): Promise<PayoutRange> {
  const range = isUuid(id) ? await findPayoutRange(reads, scope, id) : undefined;
  if (!range) throw problem('not_found', `There is no payout ${JSON.stringify(id)}.`);
  return range;
}

function readableParts({ models }: Services, ctx: RequestContext): ReadableParts {
  const mayRead = (type: 'customers' | 'payment_methods'): boolean =>
    hasPermission(ctx, permissionSlug(models.get(type).resource, 'read'));
  return { customers: mayRead('customers'), payment_methods: mayRead('payment_methods') };
}
