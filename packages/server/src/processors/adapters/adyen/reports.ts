import type { EgressRule, Login } from '@florin/contract/protocol/processor-accounts.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { AccountSettings } from '../../port/metadata.ts';
import { type CsvRow, readColumns } from '../../port/reports/csv.ts';
import { type FineAmount, parseFine } from '../../port/reports/decimal.ts';
import { downloadRequest, mapDownload } from '../../port/reports/download.ts';
import {
  type BatchKind,
  type Fees,
  type LineReferences,
  type MovementKind,
  type QuarantinedRow,
  type ReportLine,
  type Reports,
  sumOfFees,
} from '../../port/reports/reports.ts';

/** Columns of a settlement details report. Others may stand between them, in any order. */
const columns = [
  'Merchant Account',
  'Psp Reference',
  'Merchant Reference',
  'Type',
  'Modification Reference',
  'Gross Currency',
  'Gross Debit (GC)',
  'Gross Credit (GC)',
  'Net Currency',
  'Net Debit (NC)',
  'Net Credit (NC)',
  'Commission (NC)',
  'Markup (NC)',
  'Scheme Fees (NC)',
  'Interchange (NC)',
  'Modification Merchant Reference',
  'Batch Number',
] as const;
type AdyenRow = CsvRow<(typeof columns)[number]>;
type Fields = AdyenRow['fields'];

/** Kinds by Adyen's types. `SecondChargeback` follows a chargeback that was reversed. */
const kinds: Readonly<Record<string, MovementKind | BatchKind>> = {
  Settled: 'capture',
  SettledExternally: 'capture',
  SettledReversed: 'capture_reversed',
  Refunded: 'refund',
  RefundedExternally: 'refund',
  RefundedReversed: 'refund_reversed',
  Chargeback: 'chargeback',
  ChargebackExternally: 'chargeback',
  SecondChargeback: 'chargeback',
  ChargebackReversed: 'chargeback_reversed',
  ChargebackReversedExternally: 'chargeback_reversed',
  Fee: 'fee',
  MiscCosts: 'fee',
  InvoiceDeduction: 'fee',
  PaymentCost: 'fee',
  SettleCost: 'fee',
  ReserveAdjustment: 'adjustment',
  DepositCorrection: 'adjustment',
  ManualCorrected: 'adjustment',
  BalanceTransfer: 'carried_over',
  MerchantPayout: 'payout',
};

/** Direction of the gross amount: Adyen's amounts have no sign, and samples differ in its column. */
const creditKinds: ReadonlySet<string> = new Set([
  'capture',
  'refund_reversed',
  'chargeback_reversed',
]);
const batchKindNames: ReadonlySet<string> = new Set([
  'fee',
  'adjustment',
  'payout',
  'carried_over',
]);

/** Amount of a debit and a credit column; undefined if both are filled or one is no amount. */
function amountOf(debit: string, credit: string): bigint | undefined {
  if (debit !== '' && credit !== '') return undefined;
  const amount = parseFine(debit || credit || '0');
  if (amount === undefined || amount < 0n) return undefined;
  return debit === '' ? amount : -amount;
}

function feesOf(fields: Fields): Fees | undefined {
  const cells = {
    commission: fields['Commission (NC)'],
    markup: fields['Markup (NC)'],
    scheme: fields['Scheme Fees (NC)'],
    interchange: fields['Interchange (NC)'],
  };
  const filled = Object.entries(cells).filter(([, text]) => text !== '');
  const fees = filled.map(([part, text]) => [part, parseFine(text)] as const);
  return fees.some(([, amount]) => amount === undefined) ? undefined : Object.fromEntries(fees);
}

const CURRENCY = /^[A-Z]{3}$/;

function netOf(fields: Fields): FineAmount | undefined {
  const amount = amountOf(fields['Net Debit (NC)'], fields['Net Credit (NC)']);
  const currency = fields['Net Currency'];
  return amount === undefined || !CURRENCY.test(currency) ? undefined : { amount, currency };
}

function grossOf(kind: MovementKind, fields: Fields): FineAmount | undefined {
  const amount = amountOf(fields['Gross Debit (GC)'], fields['Gross Credit (GC)']);
  const currency = fields['Gross Currency'];
  if (!amount || !CURRENCY.test(currency)) return undefined;
  const size = amount < 0n ? -amount : amount;
  return { amount: creditKinds.has(kind) ? size : -size, currency };
}

const referencesOf = (fields: Fields): LineReferences => ({
  ...(fields['Psp Reference'] && { authorisation_reference: fields['Psp Reference'] }),
  ...(fields['Modification Reference'] && {
    processor_reference: fields['Modification Reference'],
  }),
  ...(isUuid(fields['Merchant Reference']) && { attempt_id: fields['Merchant Reference'] }),
  ...(isUuid(fields['Modification Merchant Reference']) && {
    demand_id: fields['Modification Merchant Reference'],
  }),
});

/** Reads a row. An unknown row, or one that does not add up, is quarantined with the net amount. */
function lineOf({ line, fields }: AdyenRow): ReportLine | QuarantinedRow {
  const kind = Object.hasOwn(kinds, fields.Type) ? kinds[fields.Type] : undefined;
  const batch = fields['Batch Number'];
  const net = netOf(fields);
  const quarantine = (why: string): QuarantinedRow => ({ line, batch, why, ...(net && { net }) });
  if (!net) return quarantine('the net amount cannot be read');
  if (kind === undefined) return quarantine(`the type ${fields.Type.slice(0, 40)} is unknown`);
  const fees = feesOf(fields);
  if (!fees) return quarantine('a fee cannot be read');
  const base = { line, batch, net, ...referencesOf(fields) };
  if (batchKindNames.has(kind)) {
    const cost: Fees = kind === 'fee' ? { other: -net.amount } : {};
    return { ...base, kind: kind as BatchKind, fees: cost };
  }
  const gross = grossOf(kind as MovementKind, fields);
  if (!gross) return quarantine('the gross amount cannot be read');
  const isSum = gross.currency !== net.currency || net.amount === gross.amount - sumOfFees(fees);
  if (!isSum) return quarantine('the net amount is not the gross amount less the fees');
  return { ...base, kind: kind as MovementKind, gross, fees };
}

const reportPathOf = ({ settings }: AccountSettings): string =>
  `${settings.report_url}/reports/download/MerchantAccount/${settings.merchant_account}`;

/** Messages that download reports; none without an address. */
export function reportEgressOf(account: AccountSettings): readonly EgressRule[] {
  if (account.settings.report_url === undefined) return [];
  const { origin, pathname } = new URL(reportPathOf(account));
  return [{ origin, method: 'GET', path: `${pathname}/*`, login: reportLogin }];
}

const reportLogin: Login = { headers: { 'x-api-key': { secret: 'report_key' } } };

/** Name of a settlement details report, which a notification's signature covers. */
const REPORT_NAME = /^settlement_details?_report_batch_\d{1,9}\.csv$/;

/** Settlement details reports. A file is a batch, which ends with its payout. */
export const adyenReports: Reports = {
  missingSetting: ({ settings }) =>
    settings.report_url === undefined
      ? 'Set report_url and the secret report_key: the account has no address of reports.'
      : undefined,
  announced: (name) => (REPORT_NAME.test(name) ? { name, location: name } : undefined),
  download: {
    mapRequest: (account, { location }) => ({
      ...downloadRequest,
      url: `${reportPathOf(account)}/${location}`,
      credentials: { account_id: account.id, ...reportLogin },
    }),
    mapAnswer: mapDownload,
  },
  parse(text, { settings }) {
    const rows = readColumns(text, columns);
    const others = rows.filter(
      ({ fields }) => fields['Merchant Account'] !== settings.merchant_account,
    );
    if (others.length > 0)
      return { result: 'refused', why: 'The report has rows of another merchant account.' };
    const lines = rows.map(lineOf);
    return {
      result: 'report',
      lines: lines.filter((line) => 'kind' in line),
      quarantined: lines.filter((line) => 'why' in line),
      others: 0,
    };
  },
};
