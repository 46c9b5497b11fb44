import type { Row } from '../../store/row.ts';

/** What the bank said when it authenticated the cardholder. */
export const authenticationColumns = [
  'threeds_version',
  'threeds_status',
  'threeds_cryptogram',
  'eci',
  'directory_transaction_eid',
  'acs_transaction_eid',
] as const;

/** The `threeds_status` of a payment whose cardholder a wallet authenticated: no bank was asked. */
export const BY_WALLET = 'wallet';

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
