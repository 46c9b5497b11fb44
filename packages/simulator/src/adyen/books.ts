import type { DatabaseSync } from 'node:sqlite';
import {
  createDeliveryBooks,
  DELIVERY_SCHEMA,
  type DeliveryBooks,
} from '../notifications/delivery-books.ts';
import {
  ACCOUNT_SCHEMA,
  type AccountBooks,
  createAccountBooks,
} from '../stand-in/account-books.ts';
import {
  CRYPTOGRAM_SCHEMA,
  type CryptogramBooks,
  createCryptogramBooks,
} from '../stand-in/cryptogram-books.ts';
import {
  createKeptAnswers,
  KEPT_ANSWER_SCHEMA,
  type KeptAnswers,
} from '../stand-in/kept-answers.ts';
import { openBooks, type StandInBooks } from '../stand-in/open-books.ts';
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
  DELIVERY_SCHEMA,
  ADYEN_DISPUTE_SCHEMA,
  ACCOUNT_SCHEMA,
  CRYPTOGRAM_SCHEMA,
  ADYEN_PAYMENT_SCHEMA,
  MODIFICATION_SCHEMA,
  STORED_CARD_SCHEMA,
  KEPT_ANSWER_SCHEMA,
];

interface AdyenParts {
  readonly accounts: AccountBooks<AdyenSettings>;
  readonly payments: AdyenPaymentBooks;
  readonly modifications: ModificationBooks;
  readonly storedCards: StoredCardBooks;
  readonly cryptograms: CryptogramBooks;
  readonly keptAnswers: KeptAnswers;
  readonly disputes: AdyenDisputeBooks;
  readonly defences: DefenceBooks;
  readonly movements: AdyenMovementBooks;
  readonly deliveries: DeliveryBooks;
}

/** Durable books of the stand-in: one SQLite file. Functions that write run inside a commit. */
export type AdyenBooks = StandInBooks & AdyenParts;

/** Opens the books in a directory and creates them if necessary. Throws if another process has them open. */
export const openAdyenBooks = (dataDir: string): AdyenBooks =>
  openBooks(dataDir, FILE_NAME, SCHEMAS, createParts);

const createParts = (db: DatabaseSync): AdyenParts => ({
  accounts: createAccountBooks(db),
  payments: createAdyenPaymentBooks(db),
  modifications: createModificationBooks(db),
  storedCards: createStoredCardBooks(db),
  cryptograms: createCryptogramBooks(db),
  keptAnswers: createKeptAnswers(db),
  disputes: createAdyenDisputeBooks(db),
  defences: createDefenceBooks(db),
  movements: createAdyenMovementBooks(db),
  deliveries: createDeliveryBooks(db, ADYEN_HOLDS_BACK_AFTER),
});
