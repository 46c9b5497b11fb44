import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf, keyText } from '../../platform/database/row-key.ts';
import type { ChangedRow } from '../../platform/database/transition.ts';
import { lockRows } from '../../platform/database/transition.ts';
import type { Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { applyDemandDecisions } from '../attempts/apply-demand-decisions.ts';
import {
  countStates,
  createOutcomeRecorder,
  decideOutcomes,
  lockForOutcomes,
  type OutcomeRecorder,
  type ReceivedResult,
  type StoredOutcomes,
  storeOutcomes,
} from '../attempts/record-outcome.ts';
import { paymentOf } from '../ledger/payment-of.ts';
import { findReservedAmounts, type ReservedAmounts } from '../ledger/sql/reserved-amounts.ts';
import type { DecidedChange } from '../records/apply-decisions.ts';
import { decideFollowUpOutcome, type FollowUpOutcome } from './decide-outcome.ts';
import type { FollowUpKind } from './kinds.ts';
import { afterCapture, afterRefunds } from './payment-after.ts';
import { postFollowUps } from './post.ts';

export type FollowUpOutcomeRecorder = OutcomeRecorder<FollowUpOutcome>;

/** Creates the outcome recorder of one kind of follow-up. Gathers concurrent results. */
export const createFollowUpOutcomeRecorder = (
  services: Services,
  kind: FollowUpKind,
): FollowUpOutcomeRecorder =>
  createOutcomeRecorder((results) => recordFollowUpOutcomes(services, kind, results));

/**
 * Records results of follow-ups in one transaction: attempts, follow-ups, payments, events and
 * reactions. Returns each attempt's new state; undefined if nothing changed.
 */
async function recordFollowUpOutcomes(
  services: Services,
  kind: FollowUpKind,
  results: readonly ReceivedResult<FollowUpOutcome>[],
): Promise<(string | undefined)[]> {
  const record = (tx: Db) => storeFollowUpOutcomes(services, kind, tx, results);
  const stored = await services.db.transaction(record, { plans: 'kept' });
  countStates(services, stored);
  const { states } = stored;
  if (states.size > 0) services.wake.deliver.raise();
  return results.map(({ key }) => states.get(keyText(key)));
}

/** Decides and stores results of follow-ups in the caller's transaction. Wake the work loops after it. */
export async function storeFollowUpOutcomes(
  services: Services,
  kind: FollowUpKind,
  tx: Db,
  results: readonly ReceivedResult<FollowUpOutcome>[],
): Promise<StoredOutcomes> {
  const now = services.clock.now();
  const lockedResults = await lockForOutcomes(tx, kind.table, results);
  const outcomes = decideOutcomes(lockedResults, decideFollowUpOutcome, now);
  const storedOutcomes = await storeOutcomes(services, tx, kind.table, now, outcomes);
  await changePaymentsAfter(services, kind, tx, storedOutcomes.demands, now);
  return storedOutcomes;
}

/**
 * Appends the transfers of finished follow-ups and changes their payments. Locks payments after
 * follow-ups. Changes each payment once.
 */
export async function changePaymentsAfter(
  services: Services,
  kind: FollowUpKind,
  tx: Db,
  changedRows: readonly ChangedRow[],
  now: Micros,
): Promise<void> {
  const finishedRows = changedRows.filter(isFinished).map(({ after }) => after);
  if (finishedRows.length === 0) return;
  const payments = await lockRows(tx, 'payment_demands', finishedRows.map(paymentOf));
  await postFollowUps(services, kind, tx, changedRows, now);
  const changes = await decidePayments(kind, tx, payments, finishedRows, now);
  await applyDemandDecisions(services, tx, 'payment_demands', now, changes);
}

const isFinished = ({ before, after }: ChangedRow): boolean =>
  before.status !== after.status && (after.status === 'succeeded' || after.status === 'failed');

/**
 * Decides the changes of payments. A payment has one capture at a time, but may have several
 * refunds.
 */
async function decidePayments(
  { operation }: FollowUpKind,
  tx: Db,
  payments: ReadonlyMap<string, Row>,
  finishedRows: readonly Row[],
  now: Micros,
): Promise<DecidedChange[]> {
  const followUpsByPayment = [
    ...Map.groupBy(finishedRows, (followUp) => keyText(paymentOf(followUp))),
  ];
  const paymentBefore = (key: string): Row => payments.get(key) as Row;
  if (operation === 'capture') {
    return followUpsByPayment.map(([key, [capture]]) => ({
      before: paymentBefore(key),
      ...afterCapture(paymentBefore(key), capture as Row, now),
    }));
  }
  const amountsByPayment = await findReservedAmounts(tx, [...payments.values()].map(keyOf));
  return followUpsByPayment.map(([key, refunds]) => ({
    before: paymentBefore(key),
    ...afterRefunds(paymentBefore(key), refunds, amountsByPayment.get(key) as ReservedAmounts),
  }));
}
