import type { Db } from '../../platform/database/db.ts';
import { keyText } from '../../platform/database/row-key.ts';
import type { ChangedRow } from '../../platform/database/transition.ts';
import type { Services } from '../../services.ts';
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
import { hasMismatch } from '../risk/mismatches.ts';
import { type AttemptResult, decidePaymentOutcome } from './decide-outcome.ts';
import { routeOfAttempt, stepOf } from './fallback/fallback.ts';
import { isHoldToCapture } from './hold.ts';
import { refusedMismatchesOf } from './sql/refused-mismatches.ts';

export type PaymentOutcomeRecorder = OutcomeRecorder<AttemptResult>;

/**
 * Creates the recorder of a process's work loops, which gathers concurrent results into one
 * transaction.
 */
export const createPaymentOutcomeRecorder = (services: Services): PaymentOutcomeRecorder =>
  createOutcomeRecorder(
    (results) => recordPaymentOutcomes(services, results),
    services.batch_sizes?.observerOf('payment results'),
  );

/** Whether the payment is due for a second account. */
const asksAnother = ({ before, after }: ChangedRow): boolean =>
  after.status === 'pending' && !!after.fallback_after && !before.fallback_after;

/** States in which a payment has an outcome. */
const OUTCOMES: ReadonlySet<unknown> = new Set(['succeeded', 'authorised', 'failed']);

function countOutcomes(
  { processor_metrics }: Pick<Services, 'processor_metrics'>,
  { attempts, demands }: StoredOutcomes,
): void {
  for (const { before, after } of demands) {
    if (before.status === after.status || !OUTCOMES.has(after.status)) continue;
    const attempt = attempts.find((change) => change.after.payment_demand_id === after.id)?.after;
    const account = attempt?.processor_account_id ?? null;
    processor_metrics.countPayment(after.mode as string, account, after.status as string);
  }
}

function countFallbacks(
  { processor_metrics }: Pick<Services, 'processor_metrics'>,
  { attempts, demands }: StoredOutcomes,
): void {
  for (const { after } of demands.filter(asksAnother)) {
    const step = stepOf(after);
    const attempt = attempts.find(({ before }) => before.id === step?.attempt)?.after;
    const rule = attempt && routeOfAttempt(attempt)?.rule;
    if (step) processor_metrics.countFallback(rule ?? null, step.result);
  }
}

/**
 * Records results of authorisations in one transaction: attempts, payments, events and reactions.
 * Returns each attempt's new state; undefined where nothing changed.
 */
async function recordPaymentOutcomes(
  services: Services,
  results: readonly ReceivedResult<AttemptResult>[],
): Promise<(string | undefined)[]> {
  const record = (tx: Db) => storePaymentOutcomes(services, tx, results);
  const stored = await services.db.transaction(record, { plans: 'kept' });
  const { states, demands } = stored;
  countStates(services, stored);
  countFallbacks(services, stored);
  countOutcomes(services, stored);
  if (states.size > 0) services.wake.deliver.raise();
  if (demands.some(isHoldToCapture)) services.wake.capture.raise();
  if (demands.some(asksAnother)) services.wake.authorise.raise();
  return results.map(({ key }) => states.get(keyText(key)));
}

/** Decides and stores results of authorisations in the caller's transaction. Wake the work loops after it. */
export async function storePaymentOutcomes(
  services: Services,
  tx: Db,
  results: readonly ReceivedResult<AttemptResult>[],
): Promise<StoredOutcomes> {
  const now = services.clock.now();
  const locked = await lockForOutcomes(tx, 'payment_demands', await withRules(tx, results));
  const outcomes = decideOutcomes(locked, decidePaymentOutcome, now);
  return storeOutcomes(services, tx, 'payment_demands', now, outcomes);
}

type PaymentResult = ReceivedResult<AttemptResult>;

/** Adds the merchants' rules to approvals with a failed check. Other results, which are most, cost no query. */
async function withRules(tx: Db, results: readonly PaymentResult[]): Promise<PaymentResult[]> {
  const isRuled = ({ result }: PaymentResult): boolean =>
    result.result === 'approved' && hasMismatch(result);
  const rules = await refusedMismatchesOf(
    tx,
    results.filter(isRuled).map(({ key }) => key),
  );
  return results.map((received) => {
    const { key, result } = received;
    const refused_mismatches = rules.get(key.id);
    if (result.result !== 'approved' || !refused_mismatches) return received;
    return { key, result: { ...result, refused_mismatches } };
  });
}
