/**
 * Ledger accounts of a merchant, in one mode and currency. Debits add, credits subtract; all accounts sum to 0.
 *
 * - `processor`: the processor owes this for captured payments.
 * - `merchant`: owed to the merchant, as a negative sum.
 * - `refunds`: reserved by refunds in progress.
 * - `disputes`: reserved by open disputes.
 * - `fees`: earned from the merchant.
 * - `bank`: received from processors and not yet paid out.
 */
export const ledgerAccounts = [
  'processor',
  'merchant',
  'refunds',
  'disputes',
  'fees',
  'bank',
] as const;
export type LedgerAccount = (typeof ledgerAccounts)[number];

/** Reasons for a transfer, with the debited and the credited account. */
export const transferKinds = {
  captured: { debit: 'processor', credit: 'merchant' },
  fee: { debit: 'merchant', credit: 'fees' },
  refund_reserved: { debit: 'merchant', credit: 'refunds' },
  refund_released: { debit: 'refunds', credit: 'merchant' },
  refunded: { debit: 'refunds', credit: 'processor' },
  dispute_opened: { debit: 'merchant', credit: 'disputes' },
  dispute_won: { debit: 'disputes', credit: 'merchant' },
  dispute_lost: { debit: 'disputes', credit: 'processor' },
  settled: { debit: 'bank', credit: 'processor' },
  settled_back: { debit: 'processor', credit: 'bank' },
  paid_out: { debit: 'merchant', credit: 'bank' },
} as const satisfies Record<
  string,
  { readonly debit: LedgerAccount; readonly credit: LedgerAccount }
>;
export type TransferKind = keyof typeof transferKinds;

/** Kinds of lines in settlement files. `dispute` is a lost dispute. */
export const settlementEntries = ['capture', 'refund', 'dispute'] as const;
export type SettlementEntry = (typeof settlementEntries)[number];

/**
 * For each kind of line: the transfer that the line confirms (`of`), and the transfer that settles
 * it (`by`).
 */
export const settledBy = {
  capture: { of: 'captured', by: 'settled' },
  refund: { of: 'refunded', by: 'settled_back' },
  dispute: { of: 'dispute_lost', by: 'settled_back' },
} as const satisfies Record<
  SettlementEntry,
  { readonly of: TransferKind; readonly by: TransferKind }
>;

/** Kinds of differences between a settlement file and the ledger. */
export const settlementDifferences = [
  'missing_in_file',
  'missing_here',
  'amount_differs',
  'currency_differs',
  'duplicate',
] as const;
export type SettlementDifference = (typeof settlementDifferences)[number];
