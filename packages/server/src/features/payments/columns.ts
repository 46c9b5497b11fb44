import type { Row } from '../../platform/database/row.ts';
import type { RowKey } from '../../platform/database/transition.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';

/** What the bank said when it authenticated the cardholder. */
export const authenticationColumns = [
  'threeds_version',
  'threeds_status',
  'threeds_cryptogram',
  'eci',
  'directory_transaction_eid',
  'acs_transaction_eid',
  'wallet_until',
] as const;

/** The `threeds_status` of a payment whose cardholder a wallet authenticated: no bank was asked. */
export const BY_WALLET = 'wallet';

/** The vault keeps a cryptogram for a quarter of an hour, which has begun when its card is authenticated. */
const WALLET_PROOF_SECONDS = 14 * 60;

/** What a wallet's word for its holder is to the payment, for as long as the cryptogram that proves it lives. */
export const vouchedFor = (eci: string | undefined, now: Micros): Row => ({
  threeds_status: BY_WALLET,
  eci: eci ?? null,
  wallet_until: instantText(now + seconds(WALLET_PROOF_SECONDS)),
});

/** Whether a wallet has vouched for the cardholder, and the payment may still be charged with its cryptogram. */
export const isVouchedFor = ({ threeds_status, wallet_until }: Row, now: Micros): boolean =>
  threeds_status === BY_WALLET && !!wallet_until && now < microsOf(wallet_until);

/** A wallet's cryptogram serves one authorisation, so that its word counts for no other. */
export const withoutUsedProof = ({ threeds_status }: Row): Row =>
  threeds_status === BY_WALLET ? pick({}, authenticationColumns) : {};

/** These columns of a row, null where they are not set. */
export const pick = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));

const authenticated = ['amount_cents', 'amount_currency', 'payment_method_id'];

/** A bank authenticates one card for one amount; results for others would be refused by the network. */
export function staleAuthentication(row: Row, columns: Row): Row {
  const isStale = authenticated.some(
    (column) => column in columns && columns[column] !== row[column],
  );
  return isStale ? pick({}, authenticationColumns) : {};
}

/** The key of the subscription that a payment is a charge of. */
export const subscriptionOf = ({ merchant_id, payment_subscription_id }: Row): RowKey => ({
  merchant_id: merchant_id as string,
  id: payment_subscription_id as string,
});

/** What a charge is for is what its subscription says when it is sent; of the charge alone it cannot be changed. */
export const chargedFor = [
  'amount_currency',
  'discount_cents',
  'line_items',
  'shipping_detail',
  'tax_detail',
] as const;
