import { locales } from '../locales.ts';
import { defineResource, timestamps } from './define-resource.ts';

/** Kinds of documents. A credit note is about a refund, the others are about a payment. */
export const documentKinds = ['receipt', 'invoice', 'credit_note'] as const;
export type DocumentKind = (typeof documentKinds)[number];

export const documents = defineResource({
  type: 'documents',
  summary: 'A numbered receipt, invoice or credit note, with a PDF at `/v2/documents/{id}/content`',
  owner: 'mode',
  group: 'transaction',
  operations: ['list', 'fetch'],
  rendered: ['application/pdf'],
  rendered_from: ['customers', 'consumer_addresses', 'payment_methods'],
  fields: {
    kind: {
      type: 'enum',
      values: documentKinds,
      always_set: true,
      description:
        '`invoice` for a charge of a subscription, `receipt` for another payment, `credit_note` for a refund.',
    },
    number: {
      type: 'string',
      always_set: true,
      description:
        'Number in the merchant’s sequence of this kind, without gaps: `INV-000001`, `REC-000001`, `CN-000001`.',
    },
    amount_cents: {
      type: 'integer',
      always_set: true,
      opaque: true,
      description: 'Minor units that were paid, or refunded.',
    },
    amount_currency: { type: 'currency', always_set: true, opaque: true },
    locale: {
      type: 'enum',
      values: locales,
      opaque: true,
      always_set: true,
      description: 'Language of the document: the customer’s, or else the merchant’s.',
    },
    issued_at: {
      type: 'timestamp',
      always_set: true,
      description:
        'Date of the document. Invoices and credit notes are issued within seconds, receipts when they are first downloaded or sent.',
    },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    customer: { to: 'customers', unchecked: true },
    payment_demand: { to: 'payment_demands' },
    refund_demand: { to: 'refund_demands', description: 'The refund of a credit note.' },
    payment_subscription: { to: 'payment_subscriptions', unchecked: true },
  },
});
