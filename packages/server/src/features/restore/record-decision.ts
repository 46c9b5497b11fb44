import type { Row } from '../../platform/database/row.ts';
import { keyOf, keyText } from '../../platform/database/row-key.ts';
import { findRow } from '../../platform/database/rows.ts';
import { scopeOf } from '../../platform/database/scope.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { approvedAmountOf } from '../attempts/other-amount.ts';
import { storedReference } from '../attempts/own-processor.ts';
import { findReferenceOwner } from '../attempts/sql/reference-owner.ts';
import { appendCommand } from '../audit-log/sql.ts';
import { foundApproval } from '../payments/approve.ts';
import type { AttemptResult } from '../payments/decide-outcome.ts';
import { storePaymentOutcomes } from '../payments/record-outcome.ts';
import { recordDoubtDecision } from './record-doubt.ts';
import type { RestoreRequest } from './requests.ts';
import { markDoubted } from './sql/doubts.ts';
import { findAnyAttempt } from './sql/known-records.ts';

type Decision = Extract<RestoreRequest, { verb: 'decide' }>;
/** A finding about an attempt without an outcome. */
type AttemptDecision = Extract<Decision, { outcome: unknown }>;

/**
 * Records what a person found out about a held payment, in the audit log too. Returns a sentence. A payment that was not
 * charged fails; a late approval of it is reversed.
 */
export async function recordDecision(services: Services, decision: Decision): Promise<string> {
  const attempt = await findAnyAttempt(services.db, decision.attempt);
  return 'findings' in decision
    ? recordDoubtDecision(services, decision, attempt)
    : recordAttemptDecision(services, decision, attempt);
}

async function recordAttemptDecision(
  services: Services,
  decision: AttemptDecision,
  attempt: Row | undefined,
): Promise<string> {
  const { attempt: id, outcome } = decision;
  if (attempt?.operation !== 'authorise' || !attempt.recovered_at)
    throw new Error(`${id} is no attempt of the report`);
  if (attempt.abandoned_at || (attempt.status !== 'unknown' && attempt.status !== 'reversing'))
    throw new Error(`the outcome of ${id} is known already`);
  if (attempt.due_at) throw new Error(`Florin finds out about ${id} itself, once it is open`);
  if (outcome === 'charged' && attempt.status === 'reversing')
    throw new Error(
      `Florin has begun to reverse ${id}. Refund every charge of its payment at the processor, then decide not-charged`,
    );
  const approved = approvedAmountOf(attempt);
  if (outcome === 'charged' && approved)
    throw new Error(
      `the processor approved ${approved}, and Florin would record ${attempt.amount_cents} ${attempt.amount_currency}. Refund it at the processor, then decide not-charged`,
    );
  const key = keyOf(attempt);
  const at = services.clock.now();
  const restored_to = services.restore_gate.restoredTo() ?? instantText(at);
  const isDoubtful = outcome === 'charged' && Boolean(attempt.processor_account_id);
  const reference = await referenceOf(services, attempt, decision);
  await services.db.transaction(async (tx) => {
    const owner = reference && (await findReferenceOwner(tx, attempt, reference));
    if (owner) throw new Error(`${reference} belongs to the payment ${owner}`);
    for (const result of resultsOf(attempt, outcome, reference)) {
      const { states } = await storePaymentOutcomes(services, tx, [{ key, result }]);
      const state = states.get(keyText(attempt));
      if (!state) throw new Error(`the outcome of ${id} is known already`);
      if (outcome === 'charged' && state !== 'approved')
        throw new Error(
          `the payment of ${id} was closed meanwhile, so its charge is not recorded. Refund the charge at the processor`,
        );
    }
    // Nobody has asked yet whether the charge was refunded in the lost time.
    if (isDoubtful) await markDoubted(tx, key, { at, restored_to });
    const { user } = decision;
    await appendCommand(tx, { command: `restore decide ${outcome}`, subject: id, user });
  });
  services.wake.deliver.raise();
  const next = isDoubtful
    ? ' Decide next whether it was refunded since, or that it is unchanged.'
    : '';
  return `Recorded: ${id} was ${outcome === 'charged' ? 'charged' : 'not charged'}.${next}`;
}

/** A payment that was not charged is given up first. The reversal is not sent, since the person closes it at once. */
function resultsOf(
  attempt: Row,
  outcome: AttemptDecision['outcome'],
  reference: string | undefined,
): AttemptResult[] {
  if (outcome === 'not-charged')
    return [
      ...(attempt.status === 'unknown' ? [{ result: 'given_up', asked_all: true } as const] : []),
      { result: 'closed' },
    ];
  return [{ result: 'approved', ...foundApproval(reference) }];
}

/** Reference of the charge, as later messages need it. Throws for a text that is no id of its processor. */
async function referenceOf(
  services: Services,
  attempt: Row,
  { reference: id }: AttemptDecision,
): Promise<string | undefined> {
  if (id === undefined) return attempt.processor_reference ?? undefined;
  const { payment_demand_id } = attempt;
  const payment = await findRow(
    services.db,
    'payment_demands',
    scopeOf(attempt),
    payment_demand_id as string,
  );
  const reference = storedReference(services, attempt, id, payment?.capture_method !== 'manual');
  if (!reference) throw new Error(`${id} is no id of a payment at ${attempt.processor}`);
  return reference;
}
