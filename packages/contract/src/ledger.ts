/**
 * The accounts of a merchant, in one mode and currency. A debit adds to what it has, a credit takes from it; together
 * they are always 0. `processor`: what the processor owes for captured payments. `merchant`: what is owed to the
 * merchant, as a negative sum. `refunds`: what refunds under way have reserved, and
 * `disputes` what open disputes hold back. `fees`: what was earned with it. `bank`: what processors have paid and
 * merchants were not paid yet.
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

/** Why money moves, with the account that is debited and the one that is credited. */
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

/** What a line of a settlement file is about. A `dispute` is one that was lost. */
export const settlementEntries = ['capture', 'refund', 'dispute'] as const;
export type SettlementEntry = (typeof settlementEntries)[number];

/** By entry: the transfer that it confirms, and the one by which it is settled. */
export const settledBy = {
  capture: { of: 'captured', by: 'settled' },
  refund: { of: 'refunded', by: 'settled_back' },
  dispute: { of: 'dispute_lost', by: 'settled_back' },
} as const satisfies Record<
  SettlementEntry,
  { readonly of: TransferKind; readonly by: TransferKind }
>;

/** How a settlement file and the ledger can differ. */
export const settlementDifferences = [
  'missing_in_file',
  'missing_here',
  'amount_differs',
  'currency_differs',
  'duplicate',
] as const;
export type SettlementDifference = (typeof settlementDifferences)[number];
