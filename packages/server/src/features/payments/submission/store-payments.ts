import {
  type CreateOutcome,
  createRecords,
  insertRecords,
  type NewRecord,
} from '../../../platform/database/create.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Micros } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { attemptsOfStored } from '../../attempts/sql/insert-attempts.ts';
import { type Creator, createCreator } from '../../records/creator.ts';
import type { Message } from '../message.ts';
import { type NewSubmission, planNewPayments } from '../plan.ts';
import { createPaymentOutcomeRecorder, type PaymentOutcomeRecorder } from '../record-outcome.ts';
import { startSending } from '../send.ts';
import { freePayments } from './free-payments.ts';
import { createReservation, type Reservation } from './reservation.ts';

/**
 * Returns a function that creates payments; concurrent creates share one transaction. Confirmed payments are stored with
 * their attempts where `reasonToWait` finds no reason, and sent after the commit. Others become due.
 */
export function createPaymentCreator(services: Services): Creator {
  const recordOutcome = createPaymentOutcomeRecorder(services);
  return createCreator(services, 'payment_demands', (records) =>
    storePayments(services, recordOutcome, records),
  );
}

async function storePayments(
  services: Services,
  recordOutcome: PaymentOutcomeRecorder,
  records: readonly NewRecord[],
): Promise<CreateOutcome[]> {
  const reservation = await createReservation(
    services,
    records.map(({ row }) => row),
  );
  try {
    const stored = await storeReserved(services, reservation, records);
    startSending(services, services.in_flight, recordOutcome, stored.messages);
    wakeLoops(services, records, stored);
    return stored.outcomes;
  } finally {
    reservation.release();
  }
}

interface StoredPayments {
  readonly outcomes: CreateOutcome[];
  /** Messages of payments that were stored with their attempts. */
  readonly messages: readonly Message[];
}

async function storeReserved(
  services: Services,
  reservation: Reservation,
  records: readonly NewRecord[],
): Promise<StoredPayments> {
  if (reservation.payments.length > 0) {
    const submitted = await submitPayments(services, reservation, records);
    if (submitted) return submitted;
  }
  const { db, catalog } = services;
  return { outcomes: await createRecords(db, catalog, 'payment_demands', records), messages: [] };
}

/**
 * Stores payments in one transaction, with the attempts of those that are submitted. Undefined after an error: nothing
 * may be sent then, and after a broken connection it is unknown whether the payments are stored.
 */
async function submitPayments(
  services: Services,
  reservation: Reservation,
  records: readonly NewRecord[],
): Promise<StoredPayments | undefined> {
  const submit = async (tx: Db): Promise<StoredPayments> => {
    const submissions = await planSubmissions(services, tx, reservation, services.clock.now());
    return storeSubmitted(services, tx, records, submissions);
  };
  try {
    return await services.db.transaction(submit, { plans: 'kept' });
  } catch (error) {
    const err = { message: (error as Error).message };
    services.logger.warn({ err }, 'new payments not submitted: they wait for the work loop');
    return undefined;
  }
}

type Submissions = ReadonlyMap<Row, NewSubmission>;

async function planSubmissions(
  services: Services,
  tx: Db,
  { payments, slots, process }: Reservation,
  now: Micros,
): Promise<Submissions> {
  const free = await freePayments(tx, payments, process);
  // Merchants with velocity limits are not among them.
  const merchants = { fees: free.fees, limits: [] };
  const facts = { approvals: new Map(), slots, merchants };
  return planNewPayments(services, tx, free.payments, facts, now);
}

/** Stores each payment once. Events have the payments as they were created. */
async function storeSubmitted(
  { catalog }: Services,
  tx: Db,
  records: readonly NewRecord[],
  submissions: Submissions,
): Promise<StoredPayments> {
  const stored = records.map((record) => {
    const { row } = record;
    return { ...record, row: submissions.get(row)?.demand ?? row };
  });
  const attempts = attemptsOfStored(
    catalog,
    [...submissions.values()].map(({ attempt }) => attempt),
  );
  const outcomes = await insertRecords(tx, catalog, 'payment_demands', stored, attempts);
  const created = records.flatMap(({ row }, at) => {
    const submission = submissions.get(row);
    return submission && outcomes[at]?.outcome === 'created' ? [submission.message] : [];
  });
  return { outcomes, messages: created };
}

/** Wakes the loops that have work: payments that wait to be claimed, and deliveries of their events. */
function wakeLoops(
  { wake }: Services,
  records: readonly NewRecord[],
  { messages }: StoredPayments,
): void {
  const confirmed = records.filter(({ row }) => row.status === 'pending');
  if (confirmed.length > messages.length) wake.authorise.raise();
  if (confirmed.length > 0) wake.deliver.raise();
}
