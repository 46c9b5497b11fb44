import { amountDecimal } from '@florin/contract/money.ts';
import type { PaymentExportColumn } from '@florin/contract/payment-export.ts';
import { type PaymentStateFacts, paymentStateOf } from '@florin/contract/payment-state.ts';
import { type Texts, textsIn } from '../../../platform/texts/texts.ts';
import type { ListedRecord } from '../list-pages.ts';
import { timesIn } from '../local-times.ts';
import type { PaymentFormat } from './format.ts';

type TextName = keyof typeof import('./texts/en.json', { with: { type: 'json' }});

const textsOf = textsIn<TextName>(new URL('texts/', import.meta.url));

/** A payment with the records that it relates to. */
export interface ExportedPayment {
  readonly payment: ListedRecord;
  readonly payer: ListedRecord | undefined;
  readonly payment_method: ListedRecord | undefined;
}

/** Words and times of a file. */
interface Words {
  readonly texts: Texts<TextName>;
  readonly timeOf: (instant: unknown) => string;
}

type Cell = (exported: ExportedPayment, words: Words) => unknown;

const amountOf = ({ attributes }: ListedRecord, name: string): string =>
  amountDecimal(String(attributes[name] ?? 0), String(attributes.amount_currency));

const cells: Readonly<Record<PaymentExportColumn, Cell>> = {
  created_at: ({ payment }, { timeOf }) => timeOf(payment.attributes.created_at),
  reference: ({ payment }) => payment.attributes.purchase_reference,
  description: ({ payment }) => payment.attributes.description,
  payer_name: ({ payer }) => payer?.attributes.name,
  payer_email: ({ payer }) => payer?.attributes.email,
  amount: ({ payment }) => amountOf(payment, 'amount_cents'),
  currency: ({ payment }) => payment.attributes.amount_currency,
  captured: ({ payment }) => amountOf(payment, 'amount_captured_cents'),
  refunded: ({ payment }) => amountOf(payment, 'amount_refunded_cents'),
  fee: ({ payment }) => (payment.attributes.fee_cents ? amountOf(payment, 'fee_cents') : undefined),
  status: ({ payment }, { texts }) =>
    texts(`state_${paymentStateOf(payment.attributes as unknown as PaymentStateFacts).name}`),
  card_brand: ({ payment_method: method }) => method && brandOf(String(method.attributes.kind)),
  card_last_four: ({ payment_method: method }) => method?.attributes.last_four,
  id: ({ payment }) => payment.id,
};

/** Returns the heads of a file, and the function that makes its lines. */
export function linesOfFormat({ columns, timezone, language }: PaymentFormat) {
  const words = { texts: textsOf(language), timeOf: timesIn(timezone) };
  return {
    heads: columns.map((name) => words.texts(`column_${name}`, { timezone })),
    cellsOf: (exported: ExportedPayment) => columns.map((name) => cells[name](exported, words)),
  };
}

/** `american_express` → `American Express`. */
const brandOf = (kind: string): string =>
  kind
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
