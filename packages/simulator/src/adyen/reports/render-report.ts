import { type AdyenAmount, adyenExponentOf } from '../money-rules.ts';
import type { AdyenPayment } from '../records.ts';
import type { ReportRow } from './report-rows.ts';

/** Facts of a batch that its rows repeat. */
export interface BatchFacts {
  readonly company: string;
  readonly account: string;
  readonly batch: number;
  /** Milliseconds since 1970. */
  readonly closedAt: number;
  findPayment(psp: string): AdyenPayment | undefined;
}

const TIME_ZONE = 'Europe/Amsterdam';
const RESERVED = ['4', '5', '6', '7', '8', '9', '10'];

/** A settlement details report as CSV. Amounts are decimal major units; each row has them without a sign. */
export function renderReport(rows: readonly ReportRow[], batch: BatchFacts): string {
  const lines = rows.map((row) => columnsOf(row, batch));
  const header = Object.keys(columnsOf({ type: '', currency: 'EUR', net: 0, fees: {} }, batch));
  const table = [header, ...lines.map((line) => Object.values(line))];
  return table.map((cells) => `${cells.map(cellOf).join(',')}\n`).join('');
}

/** Cell with quotes where the format needs them. */
const cellOf = (text: string): string =>
  /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** Cells of a row by the names of their columns. */
function columnsOf(row: ReportRow, batch: BatchFacts): Record<string, string> {
  const { movement } = row;
  const payment = movement && batch.findPayment(movement.payment);
  const created = timeOf(movement?.at ?? batch.closedAt);
  const booked = timeOf(batch.closedAt);
  return {
    'Company Account': batch.company,
    'Merchant Account': batch.account,
    'Psp Reference': movement?.payment ?? '',
    'Merchant Reference': payment?.reference ?? '',
    'Payment Method': payment?.facts.card.brand ?? '',
    'Creation Date': created.text,
    TimeZone: created.zone,
    Type: row.type,
    'Modification Reference': movement?.modification ?? '',
    ...grossOf(row),
    'Exchange Rate': movement ? '1' : '',
    ...netOf(row),
    'Payment Method Variant': payment ? `${payment.facts.card.brand}credit` : '',
    'Modification Merchant Reference': movement?.reference ?? '',
    'Batch Number': String(batch.batch),
    ...Object.fromEntries(RESERVED.map((number) => [`Reserved${number}`, ''])),
    'Booking Date': booked.text,
    'Booking Date TimeZone': booked.zone,
    'Dispute Reference': row.type.includes('Chargeback') ? (movement?.modification ?? '') : '',
    'Authorisation Code': payment?.facts.decision.authCode ?? '',
  };
}

/** The column of a gross amount depends on its direction, which the type of the row has. */
function grossOf({ movement, type, gross, currency }: ReportRow): Record<string, string> {
  const amount = gross === undefined ? '' : decimalOf({ value: gross, currency });
  const isCredit = type === 'Settled' || /^(?:Refunded|Chargeback)Reversed$/.test(type);
  return {
    'Gross Currency': movement ? currency : '',
    'Gross Debit (GC)': isCredit ? '' : amount,
    'Gross Credit (GC)': isCredit ? amount : '',
  };
}

function netOf({ net, currency, fees }: ReportRow): Record<string, string> {
  const textOf = (value: number | undefined): string =>
    value === undefined ? '' : decimalOf({ value, currency });
  return {
    'Net Currency': currency,
    'Net Debit (NC)': net < 0 ? textOf(-net) : '',
    'Net Credit (NC)': net < 0 ? '' : textOf(net),
    'Commission (NC)': textOf(fees.commission),
    'Markup (NC)': textOf(fees.markup),
    'Scheme Fees (NC)': textOf(fees.schemeFees),
    'Interchange (NC)': textOf(fees.interchange),
  };
}

/** Decimal major units of an amount: `2499` and `EUR` give `24.99`. */
function decimalOf({ value, currency }: AdyenAmount): string {
  return (value / 10 ** adyenExponentOf(currency)).toFixed(adyenExponentOf(currency));
}

/** Local time of the merchant account, with the name of its zone. */
function timeOf(ms: number): { readonly text: string; readonly zone: string } {
  const text = new Date(ms).toLocaleString('sv-SE', { timeZone: TIME_ZONE });
  const hours = Math.round((Date.parse(`${text.replace(' ', 'T')}Z`) - ms) / 3_600_000);
  return { text, zone: hours === 2 ? 'CEST' : 'CET' };
}
