import type { Row } from '../../platform/database/row.ts';
import type { ReceiptLines } from '../documents/receipt-lines.ts';

/** Columns of payments and subscriptions that emails use, as of the event that causes the email. */
const FACT_NAMES = [
  'amount_cents',
  'amount_currency',
  'description',
  'purchase_reference',
  'payer_timezone',
  'failure_reason',
  'succeeded_at',
  'period_start_at',
  'period_end_at',
] as const;

/** Names of further facts: about the card, and about coming changes. */
type ExtraFactName =
  | 'expiry_month'
  | 'expiry_year'
  | 'link_url'
  | 'next_try_at'
  | 'charge_at'
  | 'final_action'
  | 'ends_at';

/**
 * Facts of an email. Amounts in minor units, instants as text. Emails that nothing sends also have the merchant's
 * `BRAND_COLUMNS` and the card, both as they were when the email was written.
 */
export type Facts = Readonly<
  Partial<Record<(typeof FACT_NAMES)[number] | ExtraFactName, string>>
> & {
  readonly receipt?: ReceiptLines;
  readonly merchant?: Row;
  readonly card?: Row;
};

/** Facts from a row of a payment or subscription. */
export const pickFacts = (row: Row): Facts =>
  Object.fromEntries(FACT_NAMES.flatMap((name) => (row[name] ? [[name, row[name]]] : [])));
