import type { Row } from '../../platform/database/row.ts';
import type { RowKey } from '../../platform/database/row-key.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';

/** Columns of the issuer's authentication result. */
export const authenticationColumns = [
  'threeds_version',
  'threeds_status',
  'threeds_source',
  'threeds_cryptogram',
  'eci',
  'directory_transaction_eid',
  'acs_transaction_eid',
  'wallet_until',
] as const;

/** `threeds_status` of payments that a wallet authenticated in place of the issuer. */
export const BY_WALLET = 'wallet';

const PROVEN: readonly unknown[] = ['Y', 'A'];

/** Whether the issuer authenticated the payer (`Y`), or an attempt to do so counts (`A`). */
export const isProven = ({ threeds_status }: Row): boolean => PROVEN.includes(threeds_status);

/**
 * Seconds for which a cryptogram is used. The vault stores it for 15 minutes, from shortly before
 * the payment is stored.
 */
const WALLET_PROOF_SECONDS = 14 * 60;

/**
 * Columns of a payment that its wallet authenticated, valid while the vault stores the cryptogram.
 */
export const authenticatedByWallet = (eci: string | undefined, now: Micros): Row => ({
  threeds_status: BY_WALLET,
  eci: eci ?? null,
  wallet_until: instantText(now + seconds(WALLET_PROOF_SECONDS)),
});

/** Whether a wallet has authenticated the payer and its cryptogram is still valid. */
export const isAuthenticatedByWallet = (
  { threeds_status, wallet_until }: Row,
  now: Micros,
): boolean => threeds_status === BY_WALLET && !!wallet_until && now < microsOf(wallet_until);

/** Marks a result that a client sends: nobody else has confirmed it. */
export const assertedBySender = ({ threeds_status }: Row): Row =>
  threeds_status ? { threeds_source: 'asserted' } : {};

/**
 * Columns that delete a wallet's authentication after use: a cryptogram serves one authorisation.
 */
export const withoutUsedProof = ({ threeds_status }: Row): Row =>
  threeds_status === BY_WALLET ? pickColumns({}, authenticationColumns) : {};

/**
 * Column that deletes the issuer's cryptogram after an approval, since it serves one authorisation. The other results
 * stay, for disputes.
 */
export const withoutUsedCryptogram = ({ threeds_cryptogram }: Row): Row =>
  threeds_cryptogram ? { threeds_cryptogram: null } : {};

/** Values of the given columns of a row; null where unset. */
export const pickColumns = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));

const authenticatedColumns = ['amount_cents', 'amount_currency', 'payment_method_id'];

/**
 * Columns that delete an authentication for another card or amount, which the network would refuse.
 */
export function staleAuthentication(row: Row, columns: Row): Row {
  const isStale = authenticatedColumns.some(
    (column) => column in columns && columns[column] !== row[column],
  );
  return isStale ? pickColumns({}, authenticationColumns) : {};
}

/** Key of the subscription of a charge. */
export const subscriptionOf = ({ merchant_id, payment_subscription_id }: Row): RowKey => ({
  merchant_id: merchant_id as string,
  id: payment_subscription_id as string,
});

/**
 * Columns that a charge copies from its subscription when it is sent. Clients cannot change them on
 * the charge.
 */
export const billedColumns = [
  'amount_currency',
  'discount_cents',
  'line_items',
  'shipping_detail',
  'tax_detail',
] as const;
