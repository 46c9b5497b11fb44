import type { Row } from '../../platform/database/row.ts';
import { keyOf } from '../../platform/database/row-key.ts';
import { scopeOf } from '../../platform/database/scope.ts';
import type { ProcessorAccount } from '../../processors/accounts.ts';
import type { NotificationFact } from '../../processors/port/notifications.ts';
import type { AuthoriseResult } from '../../processors/port/processor.ts';
import type { Services } from '../../services.ts';
import { isContradiction } from '../disputes/decide.ts';
import { findAuthorisation, findDispute } from '../disputes/sql/disputes.ts';
import { storeNotification } from '../disputes/store-notifications.ts';
import { captures, refunds } from '../follow-ups/kinds.ts';
import { createFollowUpOutcomeRecorder } from '../follow-ups/record-outcome.ts';
import type { AttemptResult } from '../payments/decide-outcome.ts';
import { createPaymentOutcomeRecorder } from '../payments/record-outcome.ts';
import { lateApprovalsOf } from '../payments/sql/late-approvals.ts';
import { announceReport } from '../settlement/reports/list-reports.ts';
import { timelineOfRow } from '../timelines/timeline-of.ts';
import {
  findAttemptStatus,
  findAuthorisationById,
  findByReference,
  findFollowUpAttempt,
} from './sql/attempts.ts';

/**
 * Effect of a fact.
 *
 * - `applied`: it is recorded, or was before.
 * - `ignored`: nothing is to do.
 * - `waiting`: an earlier outcome must be known first.
 * - `unmatched`: no payment of the account has its reference.
 * - `conflict`: it contradicts an outcome that is final here, so an operator decides.
 */
export type FactEffect = 'applied' | 'ignored' | 'waiting' | 'unmatched' | 'conflict';

type FactOf<Kind extends NotificationFact['kind']> = Extract<NotificationFact, { kind: Kind }>;
type FollowUpFact = FactOf<'capture' | 'refund'>;

/** Applies a fact through the same decisions as an answer. Safe to repeat. */
export async function applyFact(
  services: Services,
  account: ProcessorAccount,
  fact: NotificationFact,
): Promise<FactEffect> {
  switch (fact.kind) {
    case 'authorisation':
      return applyAuthorisation(services, account, fact);
    case 'reversal':
      return applyReversal(services, account, fact);
    case 'capture':
    case 'refund':
      return applyFollowUp(services, account, fact);
    case 'capture_failed':
    case 'refund_failed':
      return 'conflict';
    case 'dispute':
      return applyDispute(services, account, fact);
    case 'report':
      return applyReport(services, account, fact);
    default:
      return 'ignored';
  }
}

async function applyAuthorisation(
  services: Services,
  { id: account_id }: ProcessorAccount,
  { attempt_id, result }: FactOf<'authorisation'>,
): Promise<FactEffect> {
  const attempt = await findAuthorisationById(services.db, account_id, attempt_id);
  if (!attempt) return 'unmatched';
  if (!['approved', 'partly_approved', 'declined'].includes(result.result)) return 'ignored';
  const status = await recordPayment(services, attempt, inReversal(attempt, result));
  const isApproval = result.result !== 'declined';
  // A started or finished reversal undoes an approval whenever the approval arrives.
  const contradictions = isApproval ? ['declined', 'not_sent'] : ['approved'];
  return contradictions.includes(status) ? 'conflict' : 'applied';
}

/** A decline ends the reversal of an attempt of which nothing was known. Other reversals are of an approval. */
const inReversal = (
  { status, processor_reference }: Row,
  result: AuthoriseResult,
): AttemptResult =>
  status === 'reversing' && !processor_reference && result.result === 'declined'
    ? { result: 'reversed', declined: result.code }
    : result;

async function applyReversal(
  services: Services,
  { id: account_id }: ProcessorAccount,
  { attempt_id, processor_reference, reversal_reference, reversed }: FactOf<'reversal'>,
): Promise<FactEffect> {
  const byId = attempt_id
    ? await findAuthorisationById(services.db, account_id, attempt_id)
    : undefined;
  const attempt =
    byId ??
    (processor_reference
      ? await findByReference(services.db, account_id, processor_reference, 'authorise')
      : undefined);
  if (!attempt) return 'unmatched';
  // The resolver repeats a refused reversal, and inquires about the authorisation.
  if (!reversed) {
    if (reversal_reference !== undefined)
      await recordPayment(services, attempt, { result: 'reversal_refused', reversal_reference });
    return 'applied';
  }
  const status = await recordPayment(services, attempt, { result: 'reversed' });
  return status === 'approved' ? 'conflict' : 'applied';
}

/** Records a result of an authorisation. Returns the attempt's state afterwards. */
async function recordPayment(
  services: Services,
  attempt: Row,
  result: AttemptResult,
): Promise<string> {
  const timeline = await timelineOfRow(services, scopeOf(attempt), 'attempts', attempt);
  const key = keyOf(attempt);
  const late_approvals = await lateApprovalsOf(services.db, scopeOf(attempt));
  const isFound = result.result === 'approved' || result.result === 'reversed';
  const outcome = isFound ? { ...result, late_approvals } : result;
  const state = await createPaymentOutcomeRecorder(timeline)({ key, result: outcome });
  return state ?? findAttemptStatus(services.db, attempt);
}

async function applyFollowUp(
  services: Services,
  account: ProcessorAccount,
  fact: FollowUpFact,
): Promise<FactEffect> {
  const { kind, result, demand_id } = fact;
  const attempt = await findFollowUp(services, account, fact);
  if (!attempt) {
    // A processor that refunds a captured payment to reverse it tells of a refund with our id of the authorisation.
    const isTold = result.result === 'approved' || result.result === 'declined';
    return kind === 'refund' && demand_id && isTold
      ? applyReversal(services, account, {
          ...fact,
          kind: 'reversal',
          attempt_id: demand_id,
          reversal_reference: fact.processor_reference,
          reversed: result.result === 'approved',
        })
      : 'unmatched';
  }
  if (result.result !== 'approved' && result.result !== 'declined') return 'ignored';
  const timeline = await timelineOfRow(services, scopeOf(attempt), 'attempts', attempt);
  const recordOutcome = createFollowUpOutcomeRecorder(
    timeline,
    kind === 'capture' ? captures : refunds,
  );
  const state =
    (await recordOutcome({ key: keyOf(attempt), result })) ??
    (await findAttemptStatus(services.db, attempt));
  return state === result.result ? 'applied' : 'conflict';
}

/** Finds an attempt by the reference of its receipt, else by our id among those of its payment. */
async function findFollowUp(
  { db }: Services,
  { id: account_id }: ProcessorAccount,
  { kind, processor_reference, authorisation_reference, demand_id }: FollowUpFact,
): Promise<Row | undefined> {
  const byReceipt = await findByReference(db, account_id, processor_reference, kind);
  if (byReceipt || !authorisation_reference || !demand_id) return byReceipt;
  const authorisation = await findByReference(db, account_id, authorisation_reference, 'authorise');
  return authorisation && findFollowUpAttempt(db, authorisation, kind, demand_id);
}

/** Stores a settlement report to download. The address of the notification is not used: no signature covers it. */
async function applyReport(
  services: Services,
  account: ProcessorAccount,
  { name }: FactOf<'report'>,
): Promise<FactEffect> {
  const report = account.processor.reports?.announced?.(name);
  if (!report) return 'ignored';
  await announceReport(services, account, report);
  return 'applied';
}

/**
 * Opens or decides a dispute; the first decision counts, until a second chargeback. Waits while the payment has no outcome, or its hold is open. No
 * loop would retry a waiting dispute of an account, and only the notification has the deadline for evidence.
 */
async function applyDispute(
  services: Services,
  { id: account_id, mode, processor }: ProcessorAccount,
  { processor_reference, dispute }: FactOf<'dispute'>,
): Promise<FactEffect> {
  const attempt = await findByReference(services.db, account_id, processor_reference, 'authorise');
  if (!attempt) return 'unmatched';
  const source = {
    processor: processor.metadata.name,
    mode,
    processor_account_id: account_id,
  };
  const attempt_id = attempt.id as string;
  const authorisation = await findAuthorisation(services.db, source, attempt_id);
  if (authorisation?.is_undecided === 't') return 'waiting';
  const notification = { ...dispute, attempt_id, position: 0 };
  await services.db.transaction((tx) => storeNotification(services, tx, source, notification));
  services.wake.deliver.raise();
  const stored = await findDispute(services.db, source, dispute.reference);
  const { status } = dispute;
  const hasConflict =
    stored && status !== 'open' && isContradiction(stored, { ...dispute, status });
  return hasConflict ? 'conflict' : 'applied';
}
