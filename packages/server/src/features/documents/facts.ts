import type { Locale } from '@florin/contract/locales.ts';
import type { DocumentKind } from '@florin/contract/resources/documents.ts';
import type { Row } from '../../platform/database/row.ts';
import type { ReceiptLines } from './receipt-lines.ts';

/** DocumentFacts of a document, as they were when it was issued. Amounts in minor units, instants as text. */
export interface DocumentFacts {
  /** The merchant's `BRAND_COLUMNS`. */
  readonly merchant: Row;
  readonly customer?: Row;
  /** The billing address. */
  readonly address?: Row;
  readonly card?: Row;
  readonly description?: string;
  readonly purchase_reference?: string;
  readonly payer_timezone?: string;
  readonly paid_at: string;
  readonly period_start_at?: string;
  readonly period_end_at?: string;
  /** Purchased items. Absent on a credit note for a part of the payment. */
  readonly receipt?: ReceiptLines;
  /** The document of the refunded payment. */
  readonly original?: { readonly number: string; readonly issued_at: string };
}

/** A document with its facts. */
export interface IssuedDocument {
  readonly kind: DocumentKind;
  readonly mode: 'live' | 'sandbox';
  readonly number: string;
  readonly locale: Locale;
  readonly amount_cents: string;
  readonly amount_currency: string;
  readonly issued_at: string;
  readonly facts: DocumentFacts;
}
