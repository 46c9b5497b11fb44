import type { Row } from '../../../platform/database/row.ts';
import { fineText } from '../../../processors/port/reports/decimal.ts';
import { tableOf, timeOf } from '../../processor-accounts/commands/describe.ts';

/** Formats reports as a table, and below it why some of them need an operator. */
export function describeReports(rows: readonly Row[]): string {
  const head = [
    'id',
    'account',
    'mode',
    'report',
    'read',
    'status',
    'lines',
    'settled',
    'exceptions',
    'waiting',
    'unclear',
  ];
  const lines = rows.map((row) =>
    [
      row.id,
      row.account,
      row.mode,
      row.name,
      timeOf(row.created_at),
      row.status,
      row.lines,
      row.settled,
      row.exceptions,
      row.waiting,
      row.unclear,
    ].map(String),
  );
  const problems = rows
    .filter(({ failure }) => failure)
    .map(({ name, failure, due_at, control }) => `${name}: ${failure}${nextTry(due_at, control)}`);
  return [tableOf([head, ...lines]), ...problems].join('\n');
}

const nextTry = (due_at: string | null | undefined, control: string | null | undefined): string =>
  due_at && !control ? ` Next try: ${timeOf(due_at)}.` : '';

/** Says why an account lists no reports, and when Florin asks again. */
export const describeFailingList = ({ account, mode, failure, due_at }: Row): string =>
  `${account} (${mode}) lists no reports: ${failure} Next try: ${timeOf(due_at)}.`;

const controlTexts: Readonly<Record<string, string>> = {
  matches: 'The rows sum to the payout.',
  none: 'The report has no payout to compare with.',
};

/** Formats a report with its sums and its lines that no payment explains. */
export function describeReport(
  { name, status, failure, control }: Row,
  transfers: readonly Row[],
  lines: readonly Row[],
): string {
  const sums = transfers.map((row) => [row.kind, amountOf(row.amount, row.currency)].map(String));
  const unclear = lines.map((row) => [
    `row ${row.line}`,
    amountOf(row.net_amount, row.net_currency),
    reasonOf(row),
    row.processor_reference ?? row.authorisation_reference ?? '',
    stateOf(row),
  ]);
  return [
    `${name}: ${status}. ${failure ?? controlTexts[control ?? ''] ?? ''}`.trim(),
    ...(sums.length > 0 ? [tableOf(sums)] : []),
    ...(unclear.length > 0 ? ['Rows that the ledger does not explain:', tableOf(unclear)] : []),
  ].join('\n');
}

/** Why the ledger does not explain a line: words, or the kind of its settlement exception. */
export const reasonOf = ({ why, exception_kind }: Row): string =>
  why ?? exception_kind ?? 'no payment of the account has these references';

/** Decision of an operator about a line, or that one is needed. */
function stateOf({ outcome, acknowledgement, exception_status }: Row): string {
  if (acknowledgement != null) return `acknowledged: ${acknowledgement}`;
  if (outcome === 'unmatched' || outcome === 'quarantined') return 'unclear';
  return `settlement exception, ${exception_status ?? 'open'}`;
}

const amountOf = (
  amount: string | null | undefined,
  currency: string | null | undefined,
): string =>
  amount && currency
    ? `${fineText({ amount: BigInt(amount), currency })} ${currency}`
    : 'no readable amount';
