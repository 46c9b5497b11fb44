import type { DatabaseSync } from 'node:sqlite';
import {
  createNotifyingBooks,
  NOTIFYING_SCHEMAS,
  type NotifyingBooks,
  openBooks,
  type StandInBooks,
} from '../stand-in/open-books.ts';
import type { CheckoutSettings } from './accounts.ts';
import { ACTION_SCHEMA, type ActionBooks, createActionBooks } from './action-books.ts';
import {
  CHECKOUT_DISPUTE_SCHEMA,
  type CheckoutDisputeBooks,
  createCheckoutDisputeBooks,
} from './disputes/dispute-books.ts';
import { createFileBooks, FILE_SCHEMA, type FileBooks } from './disputes/file-books.ts';
import {
  createMovementBooks,
  MOVEMENT_SCHEMA,
  type MovementBooks,
} from './finance/movement-books.ts';
import {
  createEarlyPayoutBooks,
  EARLY_PAYOUT_SCHEMA,
  type EarlyPayoutBooks,
} from './finance/payout-books.ts';
import { createPaymentBooks, PAYMENT_SCHEMA, type PaymentBooks } from './payment-books.ts';

const FILE_NAME = 'checkout-com.sqlite';
const SCHEMAS = [
  PAYMENT_SCHEMA,
  ACTION_SCHEMA,
  ...NOTIFYING_SCHEMAS,
  CHECKOUT_DISPUTE_SCHEMA,
  FILE_SCHEMA,
  MOVEMENT_SCHEMA,
  EARLY_PAYOUT_SCHEMA,
];

interface CheckoutParts extends NotifyingBooks {
  readonly payments: PaymentBooks;
  readonly actions: ActionBooks;
  readonly disputes: CheckoutDisputeBooks;
  readonly files: FileBooks;
  readonly movements: MovementBooks;
  readonly earlyPayouts: EarlyPayoutBooks;
}

/** Durable books of the stand-in: one SQLite file. Functions that write run inside a commit. */
export type CheckoutBooks = StandInBooks<CheckoutSettings> & CheckoutParts;

/** Opens the books in a directory and creates them if necessary. Throws if another process has them open. */
export const openCheckoutBooks = (dataDir: string): CheckoutBooks =>
  openBooks(dataDir, FILE_NAME, SCHEMAS, createParts);

const createParts = (db: DatabaseSync): CheckoutParts => ({
  payments: createPaymentBooks(db),
  actions: createActionBooks(db),
  ...createNotifyingBooks(db),
  disputes: createCheckoutDisputeBooks(db),
  files: createFileBooks(db),
  movements: createMovementBooks(db),
  earlyPayouts: createEarlyPayoutBooks(db),
});
