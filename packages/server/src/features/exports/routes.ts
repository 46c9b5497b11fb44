import { Readable } from 'node:stream';
import { problem } from '@florin/contract/errors.ts';
import { resources } from '@florin/contract/resources/index.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { memberContext } from '../../features/people/dashboard/member-context.ts';
import type { RequestContext } from '../../jsonapi/behaviour.ts';
import { requirePermission } from '../../jsonapi/permissions.ts';
import type { Reader } from '../../jsonapi/reading/read.ts';
import { queryOf } from '../../jsonapi/request.ts';
import type { Services } from '../../services.ts';
import type { TakeSearch } from '../search/payments/search-payments.ts';
import { csvHeaders } from './csv-headers.ts';
import { createExportQuota } from './export-quota.ts';
import type { ListRequest } from './list-pages.ts';
import { FORMAT_PARAMETERS, readFormat } from './payments/format.ts';
import { streamPayments } from './payments/stream.ts';
import { registerPayoutExport } from './payouts/routes.ts';
import { streamCsv } from './records.ts';

/**
 * `GET /dashboard/api/exports/<type>.csv`: every record of a list, with the list's filters and
 * order, and for payments with its search `q`. Streams at the browser's speed, so the number of rows has no limit. For payments, `columns` asks for the file for
 * people.
 */
export function registerExports(
  fastify: FastifyInstance,
  services: Services,
  { reader, takeSearch }: { readonly reader: Reader; readonly takeSearch: TakeSearch },
): void {
  const requireQuota = createExportQuota(services.config.monotonic_ms);
  registerPayoutExport(fastify, services, requireQuota);
  fastify.get<{ Params: { file: string } }>(
    '/dashboard/api/exports/:file',
    async (request, reply) => {
      const type = request.params.file.replace(/\.csv$/, '');
      const ctx = await memberContext(services, request, { type });
      if (!isListed(type))
        throw problem(
          'not_found',
          'This table does not exist. Export one of the tables that the dashboard lists.',
        );
      const model = services.models.get(type);
      requirePermission(ctx, model, 'read');
      requireQuota(ctx.scope);
      const query = listQueryOf(request);
      const search = type === 'payment_demands' ? await takeSearch(ctx, query) : undefined;
      const lines = linesOf({ reader, ctx, model, query, search });
      // Reads the first line early: an invalid filter must give an error response, not a truncated
      // file.
      const firstLine = await lines.next();
      return reply
        .headers(csvHeaders(`${fileNameOf(type)}-${ctx.scope.mode}-${dayOf(ctx)}`))
        .send(Readable.from(resumeWith(firstLine, lines)));
    },
  );
}

/** Names of types in file names, where people use another word than the interface. */
const fileNames: Readonly<Record<string, string>> = {
  payment_demands: 'payments',
  refund_demands: 'refunds',
  capture_demands: 'captures',
  payment_subscriptions: 'subscriptions',
};
const fileNameOf = (type: string): string => fileNames[type] ?? type;

/** Today in the merchant's time zone, such as `2027-01-31`. The format of Swedish is that of ISO 8601. */
const dayOf = ({ now, settings: { timezone } }: RequestContext): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(now() / 1_000);

const isListed = (type: string): type is keyof typeof resources =>
  Object.hasOwn(resources, type) &&
  (resources[type as keyof typeof resources].operations as readonly string[]).includes('list');

/** The list's parameters without merchant, mode and page, since an export has all pages. */
function listQueryOf(request: FastifyRequest): URLSearchParams {
  const query = new URLSearchParams(queryOf(request));
  for (const name of [...query.keys()])
    if (name === 'merchant' || name === 'mode' || name.startsWith('page[')) query.delete(name);
  return query;
}

function linesOf(request: ListRequest): AsyncGenerator<string> {
  const { ctx, model, query } = request;
  if (model.type !== 'payment_demands' || !query.has('columns')) return streamCsv(request);
  const format = readFormat(query, ctx.settings.timezone);
  for (const name of FORMAT_PARAMETERS) query.delete(name);
  return streamPayments(request, format);
}

async function* resumeWith(
  firstResult: IteratorResult<string>,
  remainingLines: AsyncGenerator<string>,
): AsyncGenerator<string> {
  if (firstResult.done) return;
  yield firstResult.value;
  yield* remainingLines;
}
