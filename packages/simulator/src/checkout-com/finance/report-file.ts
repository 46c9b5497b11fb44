import { linesOf } from '../../settlement.ts';
import { textOf } from '../../stand-in/members.ts';
import type { StoredPayment } from '../records.ts';
import { timeText } from '../render-payment.ts';
import { summaryOf } from '../response-texts.ts';
import { type BreakdownRow, breakdownOf, decimalText } from './breakdown.ts';
import type { StoredMovement } from './movement-books.ts';
import { currencyAccountOf, entityOf } from './owner-ids.ts';
import type { Report } from './report-periods.ts';

/** A movement with its payment. */
export interface ReportEntry {
  readonly movement: StoredMovement;
  readonly payment: StoredPayment;
}

type Column = (entry: ReportEntry, row: BreakdownRow, payoutId: string) => string;

/** Columns in their order, with names of the published report. */
const columns: Readonly<Record<string, Column>> = {
  'Client Entity ID': ({ movement }) => entityOf(movement.channel),
  'Client Entity Name': () => 'Sandbox "merchant", one',
  'Processing Channel ID': ({ movement }) => movement.channel,
  'Currency Account ID': ({ movement }, { currency }) =>
    currencyAccountOf(movement.channel, currency),
  'Payment Method': ({ payment }) => payment.facts.source.scheme.toUpperCase(),
  'Card Type': () => 'Credit',
  'Card Category': () => 'Consumer',
  'Issuer Country': () => 'GB',
  'Payment ID': ({ movement }) => movement.payment,
  Reference: ({ movement }) => movement.reference ?? '',
  'Action Type': ({ movement }) => movement.type,
  'Action ID': ({ movement }) => movement.action,
  'Response Code': ({ movement }) => movement.code,
  'Response Description': ({ movement }) => summaryOf(movement.code),
  'Requested On': ({ movement }) => localTimeText(movement.requestedAt),
  'Processed On': ({ movement }) => localTimeText(movement.processedAt),
  'Payout ID': (_entry, _row, payoutId) => payoutId,
  'Breakdown Type': (_, { type }) => type,
  'Processing Currency': (_, { currency }) => currency,
  'Processing Currency Amount': (_, { amount }) => decimalText(amount),
  'FX Rate Applied': () => '1',
  'Holding Currency': (_, { currency }) => currency,
  'Holding Currency Amount': (_, { amount }) => decimalText(amount),
};

/** Time of the settlement time zone, which is UTC, without a mark of the zone. */
const localTimeText = (ms: number): string => timeText(ms).slice(0, -1);

/** One major unit, which the merchant pays. */
const UNKNOWN_AMOUNT = -100_000_000n;

/**
 * Rows of entries, each as a line of CSV without its end. Sandbox amounts cause errors in captures and refunds. A row
 * of an unknown type is the last one.
 */
export function reportLines(
  entries: readonly ReportEntry[],
  { payoutId, unknownType }: Pick<Report, 'payoutId' | 'unknownType'>,
): string[] {
  const lineOf = (entry: ReportEntry, row: BreakdownRow): string =>
    csvLine(Object.values(columns).map((column) => column(entry, row, payoutId)));
  const lines = entries.flatMap((entry) =>
    breakdownOf(entry.movement, grossOf(entry)).map((row) => lineOf(entry, row)),
  );
  const last = entries.at(-1);
  if (unknownType === null || !last) return lines;
  const { currency } = last.movement;
  return [
    ...lines,
    lineOf(last, { type: unknownType, amount: UNKNOWN_AMOUNT, currency, isFee: false }),
  ];
}

/** CSV file of some of the lines, with the header that each file has. */
export const reportCsv = (lines: readonly string[]): string =>
  [csvLine(Object.keys(columns)), ...lines].map((line) => `${line}\r\n`).join('');

const csvLine = (values: readonly string[]): string => values.map(csvValue).join(',');

const csvValue = (value: string): string =>
  /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;

function grossOf({ movement, payment }: ReportEntry) {
  const { amount, currency, type } = movement;
  if (type === 'Chargeback') return [movement];
  const direction = Math.sign(amount);
  const simulate = textOf(payment.facts.metadata.simulate);
  return linesOf({ amount: Math.abs(amount), currency }, simulate).map((line) => ({
    ...line,
    amount: direction * line.amount,
  }));
}
