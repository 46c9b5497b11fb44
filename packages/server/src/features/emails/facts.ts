import type { Row } from '../../platform/database/row.ts';
import type { ReceiptLines } from './receipt-lines.ts';

/** Columns of payments and subscriptions that letters tell of, as they were when the letter was caused. */
const told = [
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

/** What else a letter may tell of: of its card, and of what comes. */
type Added =
  | 'expiry_month'
  | 'expiry_year'
  | 'link_url'
  | 'next_try_at'
  | 'charge_at'
  | 'final_action'
  | 'ends_at';

/** What a letter is made of beside its merchant and its card: amounts in minor units, instants as text. */
export type Facts = Readonly<Partial<Record<(typeof told)[number] | Added, string>>> & {
  /** What a receipt lists. */
  readonly receipt?: ReceiptLines;
};

/** The facts that a row of a payment or a subscription holds. */
export const pickFacts = (row: Row): Facts =>
  Object.fromEntries(told.flatMap((name) => (row[name] ? [[name, row[name]]] : [])));
