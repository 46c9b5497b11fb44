import { problem } from '@florin/contract/errors.ts';
import { permissionSlug } from '@florin/contract/permissions.ts';
import type { FastifyInstance } from 'fastify';
import { hasPermission, requirePermission } from '../../../jsonapi/permissions.ts';
import { queryOf } from '../../../jsonapi/request.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { Services } from '../../../services.ts';
import { memberContext } from '../../people/dashboard/member-context.ts';
import { csvHeaders } from '../csv-headers.ts';
import type { RequireExportQuota } from '../export-quota.ts';
import { readWording } from '../payments/format.ts';
import { createFileLimit } from './file-limit.ts';
import { findPayoutRange } from './sql.ts';
import { streamPayout } from './stream.ts';

/** Types that every line shows. */
const REQUIRED = ['payouts', 'ledger_transfers', 'payment_demands'] as const;

/**
 * `GET /dashboard/api/payouts/<id>/lines.csv?timezone=Europe/Paris&language=fr`: every transfer that the payout pays, with
 * their sum. Payers and cards are empty for people who may not read them.
 */
export function registerPayoutExport(
  fastify: FastifyInstance,
  services: Services,
  requireQuota: RequireExportQuota,
): void {
  const { reads, models } = services;
  const runFile = createFileLimit();
  fastify.get<{ Params: { id: string } }>(
    '/dashboard/api/payouts/:id/lines.csv',
    async (request, reply) => {
      const ctx = await memberContext(services, request, { type: 'payouts' });
      for (const type of REQUIRED) requirePermission(ctx, models.get(type), 'read');
      const { id } = request.params;
      const wording = readWording(new URLSearchParams(queryOf(request)), ctx.settings.timezone);
      const range = isUuid(id) ? await findPayoutRange(reads, ctx.scope, id) : undefined;
      if (!range) throw problem('not_found', `There is no payout ${JSON.stringify(id)}.`);
      requireQuota(ctx.scope);
      const mayRead = (type: 'customers' | 'payment_methods'): boolean =>
        hasPermission(ctx, permissionSlug(models.get(type).resource, 'read'));
      const readable = {
        customers: mayRead('customers'),
        payment_methods: mayRead('payment_methods'),
      };
      const name = `payout-${range.settled_on}-${range.currency}-${ctx.scope.mode}`;
      const lines = streamPayout(reads, { scope: ctx.scope, range, wording, readable });
      await runFile(ctx.scope.merchant_id, lines, (file) =>
        reply.headers(csvHeaders(name)).send(file),
      );
      return reply;
    },
  );
}
