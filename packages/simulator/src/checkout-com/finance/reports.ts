import { notFound, type StandInAnswer } from '../../stand-in/answer.ts';
import { wholeNumberOf } from '../../stand-in/members.ts';
import { invalid } from '../answer.ts';
import { type CheckoutCall, type CheckoutServices, channelsOf } from '../call.ts';
import { timeText } from '../render-payment.ts';
import { MOVEMENTS_MAX } from './movement-books.ts';
import { derivedId, entityOf } from './owner-ids.ts';
import { reportCsv, reportLines } from './report-file.ts';
import { type Report, reportsOf } from './report-periods.ts';

const PAGE_SIZE_DEFAULT = 10;
const PAGE_SIZE_MAX = 100;

/** `GET /reports`, newest first. */
export function listReports(services: CheckoutServices, call: CheckoutCall): StandInAnswer {
  const { query, base } = call;
  const limit = wholeNumberOf(query.get('limit') ?? PAGE_SIZE_DEFAULT) ?? 0;
  const skip = wholeNumberOf(query.get('pagination_token') ?? 0);
  if (limit < 1 || limit > PAGE_SIZE_MAX || skip === undefined) return invalid(['limit_invalid']);
  const after = timeOf(query.get('created_after'), 0);
  const before = timeOf(query.get('created_before'), Number.MAX_SAFE_INTEGER);
  if (after === undefined || before === undefined) return invalid(['created_date_invalid']);
  const all = readyReports(services, call).filter(
    ({ createdAt, channel }) =>
      createdAt >= after &&
      createdAt <= before &&
      (query.get('entity_id') ?? entityOf(channel)) === entityOf(channel),
  );
  const page = all.slice(skip, skip + limit);
  const next = new URLSearchParams(query);
  next.set('pagination_token', String(skip + limit));
  const body = {
    count: page.length,
    limit,
    data: page.map((report) => renderReport(services, call, report)),
    _links: {
      self: { href: `${base}/reports?${query}` },
      ...(all.length > skip + limit && { next: { href: `${base}/reports?${next}` } }),
    },
  };
  return { status: 200, body };
}

/** Milliseconds of a date in a query; undefined if it is unreadable. */
function timeOf(text: string | null, absent: number): number | undefined {
  if (text === null) return absent;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** `GET /reports/{id}`. */
export function getReport(services: CheckoutServices, call: CheckoutCall): StandInAnswer {
  const report = findReport(services, call);
  return report ? { status: 200, body: renderReport(services, call, report) } : notFound;
}

/** `GET /reports/{id}/files/{fileId}`: one file of CSV. */
export function getReportFile(services: CheckoutServices, call: CheckoutCall): StandInAnswer {
  const report = findReport(services, call);
  if (!report) return notFound;
  const files = filesOf(services, report);
  const index = files.findIndex((_, number) => fileIdOf(report, number) === call.parts[1]);
  const lines = files[index];
  return lines ? { status: 200, text: ['text/csv', reportCsv(lines)] } : notFound;
}

const findReport = (services: CheckoutServices, call: CheckoutCall): Report | undefined =>
  readyReports(services, call).find(({ id }) => id === call.parts[0]);

/** Reports whose time has come. */
const readyReports = ({ books, now }: CheckoutServices, call: CheckoutCall): Report[] =>
  reportsOf(books, channelsOf(call)).filter(({ createdAt }) => createdAt <= now());

/** Lines of each file of a report. The account's settings limit the lines of a file. */
function filesOf({ books }: CheckoutServices, report: Report): readonly (readonly string[])[] {
  const { channel, from, until } = report;
  const movements = books.movements.list({ channels: [channel], from, until }, MOVEMENTS_MAX);
  const entries = movements.flatMap((movement) => {
    const payment = books.payments.find(movement.payment);
    return payment ? [{ movement, payment }] : [];
  });
  const lines = reportLines(entries, report);
  const size = books.accounts.find(channel)?.settings.report_rows_max ?? lines.length;
  const files = Math.max(1, Math.ceil(lines.length / size));
  return Array.from({ length: files }, (_, index) => lines.slice(index * size, (index + 1) * size));
}

const fileIdOf = ({ id }: Report, index: number): string => derivedId('file', `${id} ${index}`);

function renderReport(services: CheckoutServices, { base }: CheckoutCall, report: Report) {
  const { id, channel, from, until, createdAt, payoutId } = report;
  const self = `${base}/reports/${id}`;
  const entity = entityOf(channel);
  const date = timeText(until).slice(0, 10).replaceAll('-', '');
  return {
    id,
    created_on: timeText(createdAt),
    last_modified_on: timeText(createdAt),
    type: 'FinancialActionsByPayoutId',
    description: 'Financial Actions by Payout ID',
    account: { client_id: `cli_${entity.slice(4)}`, entity_id: entity },
    tags: [payoutId],
    from: timeText(from),
    to: timeText(until),
    files: filesOf(services, report).map((_, index) => ({
      id: fileIdOf(report, index),
      filename: `financial-actions_${entity}_${date}_${payoutId}_${index + 1}.csv`,
      format: 'CSV',
      _links: { self: { href: `${self}/files/${fileIdOf(report, index)}` } },
    })),
    _links: { self: { href: self } },
  };
}
