import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readBody } from '../../../http/body.ts';
import { isoOf } from '../../../http/page-cursor.ts';
import { notFound } from '../../../jsonapi/problems.ts';
import type { Row } from '../../../platform/database/row.ts';
import { isUuid } from '../../../platform/ids.ts';
import { fineText } from '../../../processors/port/reports/decimal.ts';
import type { Services } from '../../../services.ts';
import { personOf } from '../../people/dashboard/api.ts';
import { acknowledge } from '../../settlement/reports/acknowledge.ts';
import { reasonOf } from '../../settlement/reports/describe.ts';
import {
  findReportById,
  listReports,
  listTransfers,
  listUnclearLines,
} from '../../settlement/reports/sql/reports.ts';
import { fresh, idOfPath, OPERATOR_PATH, reason } from './operator-action.ts';

const PAGE_SIZE = 50;
/** Rows of a report that the page shows at once. */
const LINES_MAX = 200;
const PATH = `${OPERATOR_PATH}/processor_reports`;

/** Operators' routes for settlement reports of processors, and their unclear rows. */
export function registerProcessorReports(fastify: FastifyInstance, services: Services): void {
  const { reads } = services;
  fastify.get(PATH, async ({ query }) => {
    const { after = '' } = query as { readonly after?: string };
    const rows = await listReports(reads, null, PAGE_SIZE, isUuid(after) ? after : null);
    const next = rows.length === PAGE_SIZE ? rows.at(-1)?.id : null;
    return { data: rows.map(reportView), next };
  });
  fastify.get(`${PATH}/:id`, async (request) => {
    const id = idOfPath(request, 'id');
    const report = await findReportById(reads, id);
    if (!report) throw notFound();
    const transfers = await listTransfers(reads, id);
    const lines = await listUnclearLines(reads, id, {
      limit: LINES_MAX,
      after: lineAfterOf(request),
    });
    return {
      data: {
        ...reportView(report),
        rows: countsOf(report),
        sums: transfers.map(({ kind, currency, amount }) => ({
          kind,
          amount: amountText(amount, currency),
        })),
        lines: lines.map(lineView),
        next_line: lines.length === LINES_MAX ? Number(lines.at(-1)?.line) : null,
      },
    };
  });
  fastify.post(`${PATH}/:id/lines/:line/acknowledge`, fresh, async (request, reply) => {
    const { reason: note } = readBody(request.body, { reason });
    await acknowledge(services, {
      report_id: idOfPath(request, 'id'),
      line: lineOf((request.params as { readonly line: string }).line),
      note,
      account_id: personOf(request).account.id,
    });
    return reply.status(204).send();
  });
}

const LINE = /^[1-9]\d{0,8}$/;

/** Number of a row in the path. Throws 404 if malformed. */
function lineOf(text: string): number {
  if (!LINE.test(text)) throw notFound();
  return Number(text);
}

/** Number of the last row that the client has. Throws 422 if malformed. */
function lineAfterOf({ query }: FastifyRequest): number {
  const { after } = query as { readonly after?: string };
  if (after === undefined) return 0;
  if (!LINE.test(after))
    throw problem('invalid_value', 'after must be the next_line of the page before.', {
      parameter: 'after',
    });
  return Number(after);
}

/** Numbers of rows by outcome. */
const countsOf = ({ lines, settled, exceptions, waiting, unclear }: Row) => ({
  all: Number(lines),
  settled: Number(settled),
  exceptions: Number(exceptions),
  waiting: Number(waiting),
  unclear: Number(unclear),
});

const COUNTS = ['lines', 'settled', 'exceptions', 'waiting', 'unclear'] as const;

const reportView = ({ created_at, due_at, others: _, ...row }: Row) => ({
  ...row,
  ...Object.fromEntries(
    COUNTS.flatMap((name) => (row[name] == null ? [] : [[name, Number(row[name])]])),
  ),
  created_at: isoOf(created_at),
  due_at: isoOf(due_at),
});

/** `id` is the row's number, so that lists have keys. */
const lineView = ({ line, net_amount, net_currency, acknowledged_at, ...row }: Row) => ({
  ...row,
  id: line,
  line: Number(line),
  reason: reasonOf(row),
  amount: amountText(net_amount, net_currency),
  acknowledged_at: isoOf(acknowledged_at),
});

const amountText = (
  amount: string | null | undefined,
  currency: string | null | undefined,
): string | null =>
  amount && currency ? `${fineText({ amount: BigInt(amount), currency })} ${currency}` : null;
