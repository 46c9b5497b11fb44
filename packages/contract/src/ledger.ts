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

/** Accounts that show money held for the merchant: a debit adds to them. To the others, a credit adds. */
export const debitAccounts: readonly LedgerAccount[] = ['processor', 'bank'];

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
  second_chargeback: { debit: 'merchant', credit: 'processor' },
  settled: { debit: 'bank', credit: 'processor' },
  settled_back: { debit: 'processor', credit: 'bank' },
  settled_again: { debit: 'bank', credit: 'processor' },
  second_settled_back: { debit: 'processor', credit: 'bank' },
  second_settled_again: { debit: 'bank', credit: 'processor' },
  paid_out: { debit: 'merchant', credit: 'bank' },
} as const satisfies Record<
  string,
  { readonly debit: LedgerAccount; readonly credit: LedgerAccount }
>;
export type TransferKind = keyof typeof transferKinds;

/** Transfers that change what is available, by their sign. Payouts pay their sum; captured payments follow when settled. */
export const payoutLineSigns = {
  settled: 1,
  fee: -1,
  refund_reserved: -1,
  refund_released: 1,
  dispute_opened: -1,
  dispute_won: 1,
  second_chargeback: -1,
} as const satisfies Partial<Record<TransferKind, 1 | -1>>;
export type PayoutLineKind = keyof typeof payoutLineSigns;

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
  'reversed',
  'outcome_unknown',
] as const;
export type SettlementDifference = (typeof settlementDifferences)[number];

/**
 * Accounts of the operator's ledger of processors, one set for each processor account and currency. The accounts of a
 * set sum to 0. No merchant sees them: the processor's fees are the operator's cost.
 *
 * - `processor`: held by the processor until it is paid out.
 * - `payments`: payments, refunds and chargebacks that reports list, before fees.
 * - `fees`: costs of the processor.
 * - `bank`: paid out by the processor.
 * - `exchange`: converted between currencies.
 * - `carried_over`: debts and credits that the next batch takes over.
 * - `adjustments`: reserves and corrections.
 * - `unexplained`: rows that could not be read.
 */
export type ProcessorLedgerAccount =
  | 'processor'
  | 'payments'
  | 'fees'
  | 'bank'
  | 'exchange'
  | 'carried_over'
  | 'adjustments'
  | 'unexplained';

/** Account against `processor`, by the reason of a transfer. The sign of a sum decides which one is debited. */
export const processorTransferKinds = {
  payments: 'payments',
  fee_commission: 'fees',
  fee_markup: 'fees',
  fee_scheme: 'fees',
  fee_interchange: 'fees',
  fee_other: 'fees',
  exchange: 'exchange',
  payout: 'bank',
  carried_over: 'carried_over',
  adjustment: 'adjustments',
  unexplained: 'unexplained',
} as const satisfies Readonly<Record<string, ProcessorLedgerAccount>>;
export type ProcessorTransferKind = keyof typeof processorTransferKinds;
