import type { Locale } from '@florin/contract/locales.ts';
import type { DocumentKind } from '@florin/contract/resources/documents.ts';
import type { Row } from '../../platform/database/row.ts';
import type { ReceiptLines } from './receipt-lines.ts';

/** Columns of a merchant's row that name the seller. */
export const SELLER_COLUMNS = [
  'seller_name',
  'seller_line_1',
  'seller_line_2',
  'seller_zip_code',
  'seller_city',
  'seller_state',
  'seller_country',
  'seller_tax_number',
] as const;

/** Column of a merchant's row with the id of the logo. */
export const LOGO_COLUMN = 'document_logo_id';

/** DocumentFacts of a document, as they were when it was issued. Amounts in minor units, instants as text. */
export interface DocumentFacts {
  /** The merchant's `BRAND_COLUMNS`, `SELLER_COLUMNS` and `LOGO_COLUMN`. */
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
  /** Bytes of the logo that the facts name. */
  readonly logo?: Uint8Array;
}
