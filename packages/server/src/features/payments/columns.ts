import type { Row } from '../../platform/database/row.ts';
import type { RowKey } from '../../platform/database/row-key.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';

/** The issuer's authentication result. */
export const authenticationColumns = [
  'threeds_version',
  'threeds_status',
  'threeds_cryptogram',
  'eci',
  'directory_transaction_eid',
  'acs_transaction_eid',
  'wallet_until',
] as const;

/** `threeds_status` of a payment that a wallet authenticated, without the issuer. */
export const BY_WALLET = 'wallet';

/** The vault stores a cryptogram for 15 minutes, which begin before the payment is stored. */
const WALLET_PROOF_SECONDS = 14 * 60;

/** Columns of a payment authenticated by its wallet, valid while the cryptogram lives. */
export const authenticatedByWallet = (eci: string | undefined, now: Micros): Row => ({
  threeds_status: BY_WALLET,
  eci: eci ?? null,
  wallet_until: instantText(now + seconds(WALLET_PROOF_SECONDS)),
});

/** Whether the wallet has authenticated the payer, and its cryptogram may still be used. */
export const isAuthenticatedByWallet = (
  { threeds_status, wallet_until }: Row,
  now: Micros,
): boolean => threeds_status === BY_WALLET && !!wallet_until && now < microsOf(wallet_until);

/** A wallet's cryptogram serves one authorisation, so its proof is removed after use. */
export const withoutUsedProof = ({ threeds_status }: Row): Row =>
  threeds_status === BY_WALLET ? pick({}, authenticationColumns) : {};

/** These columns of a row; unset ones are null. */
export const pick = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));

const authenticated = ['amount_cents', 'amount_currency', 'payment_method_id'];

/** Issuers authenticate one card for one amount; the network would refuse a result for another. */
export function staleAuthentication(row: Row, columns: Row): Row {
  const isStale = authenticated.some(
    (column) => column in columns && columns[column] !== row[column],
  );
  return isStale ? pick({}, authenticationColumns) : {};
}

/** Key of the subscription that a payment is a charge of. */
export const subscriptionOf = ({ merchant_id, payment_subscription_id }: Row): RowKey => ({
  merchant_id: merchant_id as string,
  id: payment_subscription_id as string,
});

/**
 * Columns that a charge takes from its subscription when it is sent, and that clients cannot change
 * on the charge.
 */
export const billedColumns = [
  'amount_currency',
  'discount_cents',
  'line_items',
  'shipping_detail',
  'tax_detail',
] as const;
