import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { keyOf, keyText, type RowKey } from '../../../platform/database/row-key.ts';
import { findRowsByKey } from '../../../platform/database/rows.ts';
import { lockFreeRows } from '../../../platform/database/transition.ts';
import type { Micros } from '../../../platform/time/clock.ts';
import { lockOldest } from '../../../platform/workers/claim.ts';
import type { Services } from '../../../services.ts';
import { applyDemandDecisions } from '../../attempts/apply-demand-decisions.ts';
import { claimDueDemands } from '../../attempts/claim-demands.ts';
import { findFirstApprovals, firstApprovalKey } from '../../attempts/sql/first-approvals.ts';
import { writeEmails } from '../../emails/write.ts';
import { filterStopped } from '../../merchants/sql/enforcement-actions.ts';
import { methodOf } from '../../payments/card.ts';
import type { Message } from '../../payments/message.ts';
import { hasSubscriptionRoute } from '../../payments/require-route.ts';
import type { AccountSlots } from '../../payments/slots/account-slots.ts';
import { applyDecisions } from '../../records/apply-decisions.ts';
import { blockedStep } from '../blocked.ts';
import { emailsOfStep } from '../notices.ts';
import { withSameCard } from '../same-card.ts';
import {
  chargingOf,
  markEndedUnpaid,
  markUnpaid,
  undoPeriods,
} from '../sql/subscription-periods.ts';
import { makeCharges, submitCharges } from './charge.ts';
import { decideStep, type Step } from './cycle.ts';
import { decideRetry, newCard } from './decide-retry.ts';
import { failingOf } from './dunning.ts';
import { insertPeriods, skippedPeriod } from './periods.ts';
import { policiesOf } from './policies.ts';

/**
 * Subscriptions per transaction. Larger batches cost less per subscription, but delay the recording
 * of outcomes.
 */
export const BILL_MAX = 50;

/** A due subscription with its next step. */
interface DueSubscription {
  readonly before: Row;
  readonly step: Step;
}

export interface BillOptions {
  /** Maximum number of subscriptions; default `BILL_MAX`. */
  readonly limit?: number;
  /**
   * Whether the caller sends the charges immediately. By default they become due like other
   * confirmed payments.
   */
  readonly sends?: boolean;
  /** Free slots of accounts for the charges. Default: no limit. */
  readonly slots?: AccountSlots;
  /** Called with the number of processed subscriptions before the commit, which may still fail. */
  readonly committing?: (count: number) => void;
}

export interface BillResult {
  readonly count: number;
  /** Messages to send, at most one per subscription. */
  readonly messages: readonly Message[];
}

/** Runs the due steps of subscriptions. */
export async function billDue(
  services: Services,
  { limit = BILL_MAX, sends = false, slots, committing }: BillOptions = {},
): Promise<BillResult> {
  const submit = (tx: Db, rows: readonly Row[], now: Micros) =>
    billLocked(services, tx, rows, { sends, slots }, now);
  const claimRules = {
    table: 'payment_subscriptions',
    defer_column: 'put_aside_until',
    lock: lockOldest,
    submit,
    beforeCommit: committing,
  } as const;
  const { messages } = await claimDueDemands(services, claimRules, {
    limit,
    per_merchant: limit,
    in_flight: new Map(),
  });
  return {
    count: messages.length,
    messages: messages.flatMap(({ message }) => message ?? []),
  };
}

/** Result of a subscription's step: the message of its charge, if the step made one. */
interface StepResult {
  readonly message?: Message | undefined;
}

interface Sending {
  readonly sends: boolean;
  readonly slots: AccountSlots | undefined;
}

/** Bills subscriptions that the caller has locked, so that no other worker bills them. */
async function billLocked(
  services: Services,
  tx: Db,
  rows: readonly Row[],
  sending: Sending,
  now: Micros,
): Promise<readonly StepResult[]> {
  const policyOf = await policiesOf(tx, rows);
  const failingCharges = await lockFreeRows(tx, 'payment_demands', rows.flatMap(failingOf));
  const chargingKeys = await chargingOf(tx, rows.map(keyOf));
  const stoppedRows = await filterStopped(tx, rows);
  await services.accounts.requireFresh(tx);
  const mayCharge = (row: Row) => !stoppedRows.has(row) && hasSubscriptionRoute(services, row);
  const failedCardRows = await paidWithFailedCard(tx, rows, failingCharges);
  const dueSubscriptions = rows.flatMap((row): DueSubscription[] => {
    const charge = chargeIn(failingCharges, row);
    const facts = {
      policy: policyOf(row),
      failing: charge,
      isCharging: chargingKeys.has(keyText(row)),
    };
    const step = decideStep(row, facts, now);
    if (step && !mayCharge(row)) return [{ before: row, step: blockedStep(row, step, now) }];
    if (step?.tries && failedCardRows.has(row)) return [{ before: row, step: unsentStep }];
    return step ? [{ before: row, step }] : [];
  });
  const changes = dueSubscriptions.flatMap(({ before, step }) =>
    step.decision ? [{ before, step, ...step.decision }] : [],
  );
  const changedRows = await applyDecisions(services, tx, 'payment_subscriptions', now, changes);
  await closeUnpaidPeriods(tx, dueSubscriptions);
  const skippedPeriods = dueSubscriptions.flatMap(({ before, step }) =>
    step.periods.map((period) => skippedPeriod(before, period, now)),
  );
  await insertPeriods(services, tx, skippedPeriods);
  const messages = await renewSubscriptions(services, tx, dueSubscriptions, sending, now);
  await retryFailingCharges(services, tx, dueSubscriptions, failingCharges, now);
  await notifyCustomer(services, tx, changes, changedRows, now);
  return dueSubscriptions.map(({ before }) => ({ message: messages.get(before) }));
}

/** Marks the periods of given-up charges. Later periods have no record yet. */
async function closeUnpaidPeriods(
  tx: Db,
  dueSubscriptions: readonly DueSubscription[],
): Promise<void> {
  const givenUp = Map.groupBy(dueSubscriptions, ({ step }) => step.givesUp);
  await markUnpaid(tx, failingIn(givenUp.get('unpaid')));
  await undoPeriods(tx, failingIn(givenUp.get('undone')));
  const neverPaid = dueSubscriptions.filter(
    ({ before, step }) => before.status === 'pending' && step.decision?.trigger === 'cancel',
  );
  await markEndedUnpaid(
    tx,
    neverPaid.map(({ before }) => keyOf(before)),
  );
}

const failingIn = (dueSubscriptions: readonly DueSubscription[] = []): RowKey[] =>
  dueSubscriptions.flatMap(({ before }) => failingOf(before));

const chargeIn = (charges: ReadonlyMap<string, Row>, subscription: Row): Row | undefined => {
  const [key] = failingOf(subscription);
  return key && charges.get(keyText(key));
};

/** Failed charges whose retry would use a card that was permanently declined. */
async function paidWithFailedCard(
  tx: Db,
  rows: readonly Row[],
  failingCharges: ReadonlyMap<string, Row>,
): Promise<ReadonlySet<Row>> {
  const retrials = rows.flatMap((row) => {
    const charge = chargeIn(failingCharges, row);
    return charge ? [{ before: row, charge, payment_method_id: row.payment_method_id }] : [];
  });
  return new Set([...(await withSameCard(tx, retrials))].map(({ before }) => before));
}

const unsentStep: Step = {
  decision: { set: { next_try_at: null }, events: ['updated'] },
  periods: [],
};

/** Makes renewal charges. The first charge of a card has no earlier payment to refer to. */
async function renewSubscriptions(
  services: Services,
  tx: Db,
  dueSubscriptions: readonly DueSubscription[],
  { sends, slots }: Sending,
  now: Micros,
): Promise<ReadonlyMap<Row, Message>> {
  const dueCharges = dueSubscriptions.flatMap(({ before, step }) =>
    step.charge ? [{ subscription: before, plan: step.charge }] : [],
  );
  const approvals = await findFirstApprovals(
    tx,
    dueCharges.map(({ subscription }) => subscription),
  );
  const charges = dueCharges.map((charge) => ({
    ...charge,
    by_merchant: approvals.has(firstApprovalKey(charge.subscription)),
  }));
  if (sends) return submitCharges(services, tx, charges, { approvals, slots }, now);
  await makeCharges(services, tx, charges, now);
  return new Map();
}

async function retryFailingCharges(
  services: Services,
  tx: Db,
  dueSubscriptions: readonly DueSubscription[],
  failingCharges: ReadonlyMap<string, Row>,
  now: Micros,
): Promise<void> {
  const changes = dueSubscriptions.flatMap(({ before: subscription, step }) => {
    const charge = step.tries && chargeIn(failingCharges, subscription);
    if (!charge) return [];
    const retry = decideRetry(charge, subscription, now, newCard(charge, subscription));
    return [{ before: charge, ...retry }];
  });
  if (changes.length > 0) await applyDemandDecisions(services, tx, 'payment_demands', now, changes);
}

async function notifyCustomer(
  services: Services,
  tx: Db,
  changes: readonly DueSubscription[],
  changedRows: readonly Row[],
  now: Micros,
): Promise<void> {
  const notices = changes.flatMap(({ step }, at) =>
    step.notice ? [{ step, row: changedRows[at] as Row }] : [],
  );
  if (notices.length === 0) return;
  const cards = await findRowsByKey(
    tx,
    'payment_methods',
    notices.map(({ row }) => methodOf(row)),
  );
  const byKey = new Map(cards.map((card) => [keyText(card), card]));
  const emails = notices.flatMap(({ step, row }) =>
    emailsOfStep(services, step, row, byKey.get(keyText(methodOf(row))), now),
  );
  await writeEmails(services, tx, emails, now);
}
