import type { WireAnswer } from '../../port/message.ts';
import { resultWithoutResponse } from '../../port/message.ts';
import { itemsOf, membersOf, textOf, unknownResult } from '../../port/read-answer.ts';
import { type CsvRow, readColumns } from '../../port/reports/csv.ts';
import { type FineAmount, parseFine } from '../../port/reports/decimal.ts';
import { downloadRequest, mapDownload } from '../../port/reports/download.ts';
import type {
  FeePart,
  LineReferences,
  ListResult,
  MovementKind,
  QuarantinedRow,
  ReportLine,
  ReportName,
  Reports,
} from '../../port/reports/reports.ts';
import { credentialsOf } from './map-request.ts';
import { idOfReference } from './reference.ts';

/** Columns of the report "Financial Actions by Payout ID". Others may stand between them, in any order. */
const columns = [
  'Processing Channel ID',
  'Payment ID',
  'Reference',
  'Action ID',
  'Payout ID',
  'Breakdown Type',
  'Processing Currency',
  'Processing Currency Amount',
  'Holding Currency',
  'Holding Currency Amount',
] as const;
type CheckoutRow = CsvRow<(typeof columns)[number]>;
type Fields = CheckoutRow['fields'];

const CAPTURE = /^(?:Partial )?Capture$/;
const REFUND = /^(?:Partial )?Refund$/;
const CHARGEBACK = /^Chargeback(?: \([A-Z]+\))?$/;
const FEE = / Fee$/;

/** Kind of a movement; undefined for an unknown type, and for an amount in the wrong direction. */
function movementOf(type: string, amount: bigint): MovementKind | undefined {
  const isCredit = amount > 0n;
  if (CAPTURE.test(type)) return isCredit ? 'capture' : 'capture_reversed';
  if (REFUND.test(type)) return isCredit ? 'refund_reversed' : 'refund';
  if (CHARGEBACK.test(type)) return isCredit ? 'chargeback_reversed' : 'chargeback';
  return undefined;
}

const feePartOf = (type: string): FeePart => {
  if (type.startsWith('Interchange')) return 'interchange';
  return type.startsWith('Scheme') ? 'scheme' : 'other';
};

const CURRENCY = /^[A-Z]{3}$/;

function amountOf(text: string, currency: string): FineAmount | undefined {
  const amount = parseFine(text);
  return amount === undefined || !CURRENCY.test(currency) ? undefined : { amount, currency };
}

const referencesOf = (fields: Fields): LineReferences => ({
  ...(fields['Payment ID'] && { authorisation_reference: fields['Payment ID'] }),
  ...(fields['Action ID'] && { processor_reference: fields['Action ID'] }),
  ...(fields.Reference && { demand_id: idOfReference(fields.Reference) }),
});

/** Reads a row: the amount of an action, or one of its fees. */
function lineOf({ line, fields }: CheckoutRow): ReportLine | QuarantinedRow {
  const type = fields['Breakdown Type'];
  const batch = fields['Payout ID'];
  const net = amountOf(fields['Holding Currency Amount'], fields['Holding Currency']);
  const gross = amountOf(fields['Processing Currency Amount'], fields['Processing Currency']);
  const quarantine = (why: string): QuarantinedRow => ({ line, batch, why, ...(net && { net }) });
  if (!net || !gross) return quarantine('an amount cannot be read');
  const base = { line, batch, net, ...referencesOf(fields) };
  if (FEE.test(type)) return { ...base, kind: 'fee', fees: { [feePartOf(type)]: -net.amount } };
  const kind = movementOf(type, gross.amount);
  if (kind === undefined) return quarantine(`the type ${type.slice(0, 40)} is unknown`);
  if (gross.currency === net.currency && gross.amount !== net.amount)
    return quarantine('the amounts of one currency differ');
  return { ...base, kind, gross, fees: {} };
}

/** Reports of a page. Other kinds list the same actions again, so they are left out. */
const REPORT_TYPE = 'FinancialActionsByPayoutId';
const PAGE_SIZE = 100;

function mapList(answer: WireAnswer): ListResult {
  if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
  const { status, body } = answer;
  if (status === 401 || status === 403)
    return {
      result: 'refused',
      why: `Checkout.com answered ${status}: the key may not read reports.`,
    };
  if (status !== 200) return unknownResult(`Checkout.com answered ${status}.`);
  const { data, _links } = membersOf(body);
  const reports = itemsOf(data)
    .filter(({ type }) => type === REPORT_TYPE)
    .flatMap(({ id, files }) => itemsOf(files).flatMap((file) => nameOf(id, file)));
  const { href } = membersOf(membersOf(_links).next);
  const next =
    typeof href === 'string' ? URL.parse(href)?.searchParams.get('pagination_token') : null;
  return { result: 'reports', reports, ...(next && { next }) };
}

function nameOf(report: unknown, file: Readonly<Record<string, unknown>>): ReportName[] {
  const [report_id, file_id] = [textOf(report), textOf(file.id)];
  if (report_id === undefined || file_id === undefined) return [];
  // File names repeat, and a name is stored once.
  return [{ name: `${report_id}/${file_id}`, location: `${report_id}/files/${file_id}` }];
}

/** Financial actions by payout. The files have no row of the payout, so nothing controls their sum. */
export const checkoutReports: Reports = {
  list: {
    mapRequest(account, { from, until, page }) {
      const query = new URLSearchParams({
        created_after: from,
        created_before: until,
        limit: String(PAGE_SIZE),
        ...(page !== undefined && { pagination_token: page }),
      });
      return {
        method: 'GET',
        url: `${account.settings.api_url}/reports?${query}`,
        headers: {},
        credentials: credentialsOf(account),
        timeout_ms: 10_000,
      };
    },
    mapAnswer: mapList,
  },
  download: {
    mapRequest: (account, { location }) => ({
      ...downloadRequest,
      url: `${account.settings.api_url}/reports/${location}`,
      credentials: credentialsOf(account),
    }),
    mapAnswer: mapDownload,
  },
  parse(text, { settings }) {
    const rows = readColumns(text, columns);
    const own = rows.filter(
      ({ fields }) => fields['Processing Channel ID'] === settings.processing_channel_id,
    );
    const lines = own.map(lineOf);
    return {
      result: 'report',
      lines: lines.filter((line) => 'kind' in line),
      quarantined: lines.filter((line) => 'why' in line),
      others: rows.length - own.length,
    };
  },
};
