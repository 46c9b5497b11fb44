import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText, type RowKey } from '../../platform/database/row-key.ts';
import { findRowsByKey } from '../../platform/database/rows.ts';
import { BRAND_COLUMNS } from '../../platform/emails/brand.ts';
import { type DocumentFacts, LOGO_COLUMN, SELLER_COLUMNS } from './facts.ts';
import { receiptLines } from './receipt-lines.ts';
import { findDocuments } from './sql.ts';

/** A succeeded payment, or a succeeded refund of it. */
export interface Subject {
  readonly payment: Row;
  readonly refund?: Row;
}

/** Columns of payments that documents show. */
const PAYMENT_COLUMNS = [
  'description',
  'purchase_reference',
  'payer_timezone',
  'period_start_at',
  'period_end_at',
] as const;
/** Columns of merchants that documents show. */
const MERCHANT_COLUMNS = [...BRAND_COLUMNS, ...SELLER_COLUMNS, LOGO_COLUMN] as const;
const CUSTOMER_COLUMNS = ['name', 'email'] as const;
const ADDRESS_COLUMNS = ['line_1', 'line_2', 'zip', 'city', 'state', 'country'] as const;
const CARD_COLUMNS = ['kind', 'last_four'] as const;

/** DocumentFacts and language of each subject's document, as they are now. */
export async function gatherFacts(
  tx: Db,
  subjects: readonly Subject[],
): Promise<{ readonly facts: string; readonly locale: string }[]> {
  const payments = subjects.map(({ payment }) => payment);
  const find = (table: string, column: string): Promise<ReadonlyMap<string, Row>> =>
    rowsByKey(
      tx,
      table,
      payments.flatMap((payment) => keyIn(payment, column) ?? []),
    );
  const merchants = await find('merchants', 'merchant_id');
  const customers = await find('customers', 'payer_id');
  const addresses = await find('consumer_addresses', 'billing_address_id');
  const cards = await find('payment_methods', 'payment_method_id');
  const originals = await originalsOf(tx, subjects);
  return subjects.map((subject) => {
    const { payment } = subject;
    const findIn = (rows: ReadonlyMap<string, Row>, column: string): Row | undefined =>
      rows.get(keyText(keyIn(payment, column) ?? { merchant_id: '', id: '' }));
    const merchant = findIn(merchants, 'merchant_id') ?? {};
    const customer = findIn(customers, 'payer_id');
    const facts = factsOf(subject, {
      merchant: pick(merchant, MERCHANT_COLUMNS),
      ...picked('customer', customer, CUSTOMER_COLUMNS),
      ...picked('address', findIn(addresses, 'billing_address_id'), ADDRESS_COLUMNS),
      ...picked('card', findIn(cards, 'payment_method_id'), CARD_COLUMNS),
      ...originals.get(payment.id as string),
    });
    return {
      facts: JSON.stringify(facts),
      locale: customer?.locale ?? merchant.locale ?? 'en',
    };
  });
}

type Related = Pick<DocumentFacts, 'merchant' | 'customer' | 'address' | 'card' | 'original'>;

function factsOf({ payment, refund }: Subject, related: Related): DocumentFacts {
  const isWhole = !refund || refund.amount_cents === payment.amount_captured_cents;
  return {
    ...related,
    ...pick(payment, PAYMENT_COLUMNS),
    paid_at: payment.succeeded_at as string,
    ...(isWhole && { receipt: receiptLines(payment) }),
  };
}

/** Numbers of the documents that credit notes correct, by payment. */
async function originalsOf(
  tx: Db,
  subjects: readonly Subject[],
): Promise<ReadonlyMap<string, Pick<DocumentFacts, 'original'>>> {
  const refunded = subjects.filter(({ refund }) => refund);
  if (refunded.length === 0) return new Map();
  const keys = refunded.flatMap(({ payment }) => keyIn(payment, 'id') ?? []);
  const documents = await findDocuments(tx, 'payments', keys);
  return new Map(
    documents.map(({ payment_demand_id, number, issued_at }) => [
      payment_demand_id as string,
      { original: { number: number as string, issued_at: issued_at as string } },
    ]),
  );
}

const keyIn = (row: Row, column: string): RowKey | undefined =>
  row[column] ? { merchant_id: row.merchant_id as string, id: row[column] } : undefined;

async function rowsByKey(
  tx: Db,
  table: string,
  keys: readonly RowKey[],
): Promise<ReadonlyMap<string, Row>> {
  if (keys.length === 0) return new Map();
  const uniqueKeys = new Map(keys.map((key) => [keyText(key), key]));
  const rows = await findRowsByKey(tx, table, [...uniqueKeys.values()]);
  return new Map(rows.map((row) => [keyText(row), row]));
}

const pick = (row: Row, columns: readonly string[]): Record<string, string> =>
  Object.fromEntries(columns.flatMap((name) => (row[name] ? [[name, row[name]]] : [])));

const picked = <Name extends string>(
  name: Name,
  row: Row | undefined,
  columns: readonly string[],
): { readonly [K in Name]?: Row } =>
  (row ? { [name]: pick(row, columns) } : {}) as { readonly [K in Name]?: Row };
