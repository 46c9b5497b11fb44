/**
 * The accounts of a merchant, in one mode and currency. A debit adds to what it has, a credit takes from it; together
 * they are always 0. `processor`: what the processor owes for captured payments. `merchant`: what is owed to the
 * merchant, as a negative sum. `refunds`: what refunds under way have reserved, and
 * `disputes` what open disputes hold back. `fees`: what was earned with it.
 */
export const ledgerAccounts = ['processor', 'merchant', 'refunds', 'disputes', 'fees'] as const;
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
} as const satisfies Record<
  string,
  { readonly debit: LedgerAccount; readonly credit: LedgerAccount }
>;
export type TransferKind = keyof typeof transferKinds;
