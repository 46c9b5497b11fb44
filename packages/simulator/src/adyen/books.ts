import type { DatabaseSync } from 'node:sqlite';
import {
  createNotifyingBooks,
  NOTIFYING_SCHEMAS,
  type NotifyingBooks,
  openBooks,
  type StandInBooks,
} from '../stand-in/open-books.ts';
import type { AdyenSettings } from './accounts.ts';
import { createDefenceBooks, DEFENCE_SCHEMA, type DefenceBooks } from './disputes/defence-books.ts';
import {
  ADYEN_DISPUTE_SCHEMA,
  type AdyenDisputeBooks,
  createAdyenDisputeBooks,
} from './disputes/dispute-books.ts';
import { ADYEN_HOLDS_BACK_AFTER } from './events/policy.ts';
import {
  createModificationBooks,
  MODIFICATION_SCHEMA,
  type ModificationBooks,
} from './modifications/modification-books.ts';
import {
  ADYEN_PAYMENT_SCHEMA,
  type AdyenPaymentBooks,
  createAdyenPaymentBooks,
} from './payment-books.ts';
import {
  ADYEN_MOVEMENT_SCHEMA,
  type AdyenMovementBooks,
  createAdyenMovementBooks,
} from './reports/movement-books.ts';
import { createStoredCardBooks, STORED_CARD_SCHEMA, type StoredCardBooks } from './stored-cards.ts';

const FILE_NAME = 'adyen.sqlite';
const SCHEMAS = [
  DEFENCE_SCHEMA,
  ADYEN_MOVEMENT_SCHEMA,
  ...NOTIFYING_SCHEMAS,
  ADYEN_DISPUTE_SCHEMA,
  ADYEN_PAYMENT_SCHEMA,
  MODIFICATION_SCHEMA,
  STORED_CARD_SCHEMA,
];

interface AdyenParts extends NotifyingBooks {
  readonly payments: AdyenPaymentBooks;
  readonly modifications: ModificationBooks;
  readonly storedCards: StoredCardBooks;
  readonly disputes: AdyenDisputeBooks;
  readonly defences: DefenceBooks;
  readonly movements: AdyenMovementBooks;
}

/** Durable books of the stand-in: one SQLite file. Functions that write run inside a commit. */
export type AdyenBooks = StandInBooks<AdyenSettings> & AdyenParts;

/** Opens the books in a directory and creates them if necessary. Throws if another process has them open. */
export const openAdyenBooks = (dataDir: string): AdyenBooks =>
  openBooks(dataDir, FILE_NAME, SCHEMAS, createParts);

const createParts = (db: DatabaseSync): AdyenParts => ({
  payments: createAdyenPaymentBooks(db),
  modifications: createModificationBooks(db),
  storedCards: createStoredCardBooks(db),
  disputes: createAdyenDisputeBooks(db),
  defences: createDefenceBooks(db),
  movements: createAdyenMovementBooks(db),
  ...createNotifyingBooks(db, ADYEN_HOLDS_BACK_AFTER),
});
