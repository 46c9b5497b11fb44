import type { Row } from '../../platform/database/row.ts';
import { isConfirmed } from '../subscriptions/decide.ts';

/** Records that a merge moves from one customer to the other. */
export interface MovedKind {
  readonly table: string;
  /** Columns with a customer. Each has an index with the merchant. */
  readonly columns: readonly string[];
  /** Column of the merge that counts the records; absent for records that nobody sees. */
  readonly count?: string;
  /** Events of a moved record. */
  readonly eventsOf: (row: Row) => readonly string[];
  /** Whether clients see no change. */
  readonly internal?: true;
  /** Only records of the last seconds; absent: all. */
  readonly recent_s?: number;
}

const UPDATED: readonly string[] = ['updated'];
const NONE: readonly string[] = [];

/** Twice the longest window of a velocity limit: attempts before are not counted any more. */
const COUNTED_ATTEMPTS_S = 2 * 86_400;

/**
 * All kinds, in the order in which a slice locks them. Emails and documents stay: they say what a customer was told.
 * Payments emit no events: there may be a million, and the event of the customer says it.
 */
export const movedKinds: readonly MovedKind[] = [
  {
    table: 'payment_demands',
    columns: ['payer_id', 'buyer_id', 'receiver_id'],
    count: 'payment_demands_count',
    eventsOf: () => NONE,
  },
  {
    table: 'payment_subscriptions',
    columns: ['payer_id', 'buyer_id', 'receiver_id'],
    count: 'payment_subscriptions_count',
    eventsOf: (row) => (isConfirmed(row) ? UPDATED : NONE),
  },
  {
    table: 'payment_links',
    columns: ['customer_id'],
    count: 'payment_links_count',
    eventsOf: () => NONE,
  },
  {
    table: 'payment_methods',
    columns: ['customer_id'],
    count: 'payment_methods_count',
    eventsOf: () => UPDATED,
  },
  {
    table: 'consumer_addresses',
    columns: ['customer_id'],
    count: 'consumer_addresses_count',
    eventsOf: () => UPDATED,
  },
  {
    table: 'attempts',
    columns: ['payer_id'],
    eventsOf: () => NONE,
    internal: true,
    recent_s: COUNTED_ATTEMPTS_S,
  },
];
