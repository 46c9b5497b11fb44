import type { Row } from '../../../platform/database/row.ts';
import type { ClaimScope } from '../../../platform/database/within.ts';

/** State of this process, for a new payment. */
export interface ProcessFacts {
  /** Whether the process sends messages, and waits for them before it ends. */
  readonly sends: boolean;
  readonly vault_up: boolean;
  /** Whether the payment's time is that of a sandbox clock. */
  readonly on_timeline: boolean;
  /** Rows that the default timeline may claim; undefined: all. */
  readonly within: ClaimScope | undefined;
  /** Slots that the payment may use. */
  readonly free: number;
}

/** Restrictions of a merchant in the mode of the payment. */
export interface Restrictions {
  /** Whether an enforcement action is in force. */
  readonly stopped: boolean;
  /** Whether the merchant has velocity limits of its own, which only one transaction may count at a time. */
  readonly limited: boolean;
}

/** State of the database, in the transaction that stores the payment. */
export interface StoredFacts extends Restrictions {
  /** Whether the transaction shares the merchant's status. Otherwise an enforcement action is being taken. */
  readonly status_shared: boolean;
  /** Whether the transaction has locked the card, where limits of the platform count its payments. */
  readonly card_locked: boolean;
}

/** Why a new payment is stored as due, so that the work loop claims it. */
export type DueReason =
  | 'not_confirmed'
  | 'by_merchant'
  | 'not_sending'
  | 'vault_down'
  | 'sandbox_clock'
  | 'no_slot'
  | 'status_changing'
  | 'stopped'
  | 'velocity_limits'
  | 'card_in_use';

/**
 * The reason why a new payment is stored as due; undefined if it is stored with its attempt. Without `stored`, only the
 * facts of the process decide. The plan of the payment may still find that it waits or fails.
 */
export function reasonToWait(
  payment: Row,
  process: ProcessFacts,
  stored?: StoredFacts,
): DueReason | undefined {
  if (payment.status !== 'pending') return 'not_confirmed';
  if (payment.initiator === 'merchant') return 'by_merchant';
  if (!process.sends) return 'not_sending';
  if (!process.vault_up) return 'vault_down';
  if (process.on_timeline || !isWithin(payment, process.within)) return 'sandbox_clock';
  if (process.free <= 0) return 'no_slot';
  return stored && reasonInDatabase(stored);
}

function reasonInDatabase(stored: StoredFacts): DueReason | undefined {
  if (!stored.status_shared) return 'status_changing';
  if (stored.stopped) return 'stopped';
  if (stored.limited) return 'velocity_limits';
  return stored.card_locked ? undefined : 'card_in_use';
}

/** Whether claims of the default timeline may take the payment, as `withinSql` decides. */
function isWithin({ mode, merchant_id, payer_id }: Row, within: ClaimScope | undefined): boolean {
  if (!within || mode !== 'sandbox') return true;
  if (within.of !== 'default') return false;
  const { merchants, customers } = within;
  return !merchants.includes(merchant_id as string) && !customers.includes(payer_id as string);
}
