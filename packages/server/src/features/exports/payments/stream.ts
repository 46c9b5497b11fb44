import { type PaymentExportColumn, paymentExportColumns } from '@florin/contract/payment-export.ts';
import { toCsvLine } from '../csv.ts';
import {
  BYTE_ORDER_MARK,
  type ListDocument,
  type ListedRecord,
  type ListRequest,
  readPages,
  relatedTo,
} from '../list-pages.ts';
import { type ExportedPayment, linesOfFormat } from './columns.ts';
import type { PaymentFormat } from './format.ts';

/** Streams payments as CSV for people: chosen columns, decimals, words, local times. */
export async function* streamPayments(
  request: ListRequest,
  format: PaymentFormat,
): AsyncGenerator<string> {
  const { heads, cellsOf } = linesOfFormat(format);
  const query = new URLSearchParams(request.query);
  const include = includeOf(format.columns);
  if (include) query.set('include', include);
  let head = `${BYTE_ORDER_MARK}${toCsvLine(heads)}`;
  for await (const page of readPages({ ...request, query })) {
    yield head +
      paymentsOf(page)
        .map((exported) => toCsvLine(cellsOf(exported)))
        .join('');
    head = '';
  }
}

/** Relationships that the columns read. The reader refuses those that the caller may not read. */
const includeOf = (columns: readonly PaymentExportColumn[]): string =>
  [...new Set(columns.flatMap((name) => paymentExportColumns[name] ?? []))].join(',');

function paymentsOf({ data, included = [] }: ListDocument): ExportedPayment[] {
  const byKey = new Map(included.map((record) => [`${record.type} ${record.id}`, record]));
  const find = (payment: ListedRecord, name: string) => {
    const target = relatedTo(payment, name);
    return target ? byKey.get(`${target.type} ${target.id}`) : undefined;
  };
  return data.map((payment) => ({
    payment,
    payer: find(payment, 'payer'),
    payment_method: find(payment, 'payment_method'),
  }));
}
