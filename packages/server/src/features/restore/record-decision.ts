import type { CheckRule } from '@florin/contract/risk/check-rules.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf, keyText } from '../../platform/database/row-key.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { approvedAmountOf } from '../attempts/other-amount.ts';
import { isSameReference, storedReference } from '../attempts/own-processor.ts';
import { lockForOutcomes } from '../attempts/record-outcome.ts';
import { findReferenceOwner } from '../attempts/sql/reference-owner.ts';
import { appendCommand } from '../audit-log/sql.ts';
import { foundApproval } from '../payments/approve.ts';
import { alertWithoutChecks, rulesOf } from '../payments/confirmation/alert-without-checks.ts';
import { ruleAgainst } from '../payments/confirmation/rules-about-checks.ts';
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
  found: Row | undefined,
): Promise<string> {
  const { attempt: id, outcome, user } = decision;
  if (!found) throw noAttemptOfReport(id);
  const isDoubtful = outcome === 'charged' && Boolean(found.processor_account_id);
  await services.db.transaction(async (tx) => {
    const [locked] = await lockForOutcomes(tx, 'payment_demands', [
      { key: keyOf(found), result: outcome },
    ]);
    if (!locked) throw noAttemptOfReport(id);
    await record(services, tx, decision, locked);
    // Nobody has asked yet whether the charge was refunded in the lost time.
    const at = services.clock.now();
    const restored_to = services.restore_gate.restoredTo() ?? instantText(at);
    if (isDoubtful) await markDoubted(tx, keyOf(found), { at, restored_to });
    await appendCommand(tx, { command: `restore decide ${outcome}`, subject: id, user });
  });
  services.wake.deliver.raise();
  const next = isDoubtful
    ? ' Decide next whether it was refunded since, or that it is unchanged.'
    : '';
  return `Recorded: ${id} was ${outcome === 'charged' ? 'charged' : 'not charged'}.${next}`;
}

const noAttemptOfReport = (id: string): Error => new Error(`${id} is no attempt of the report`);

/** A payment and its attempt, both locked: a notification may have told more since the report. */
interface LockedPayment {
  readonly attempt: Row;
  readonly demand: Row;
}

/** Records a finding. Throws an `Error` if the attempt does not allow it. */
async function record(
  services: Services,
  tx: Db,
  decision: AttemptDecision,
  { attempt, demand }: LockedPayment,
): Promise<void> {
  requireUndecided(attempt, decision);
  if (decision.outcome === 'charged')
    await recordCharge(services, tx, decision, { attempt, demand });
  else
    for (const result of resultsOfNoCharge(attempt))
      await storeResult(services, tx, attempt, result);
}

function requireUndecided(attempt: Row, { outcome }: AttemptDecision): void {
  const { id, operation, recovered_at, abandoned_at, status, due_at } = attempt;
  if (operation !== 'authorise' || !recovered_at) throw noAttemptOfReport(id as string);
  if (abandoned_at || (status !== 'unknown' && status !== 'reversing'))
    throw new Error(
      outcome === 'charged' && status !== 'approved'
        ? `the outcome of ${id} is known already, so its charge is not recorded. Refund the charge at the processor`
        : `the outcome of ${id} is known already`,
    );
  if (due_at) throw new Error(`Florin finds out about ${id} itself, once it is open`);
}

/** Records a charge with all that its processor told of it, and tells the merchant if nobody knows its checks. */
async function recordCharge(
  services: Services,
  tx: Db,
  decision: AttemptDecision,
  locked: LockedPayment,
): Promise<void> {
  const { attempt } = locked;
  const rules = await rulesOf(tx, attempt);
  requireCharge(locked, rules);
  const reference = referenceOf(services, locked, decision);
  const owner = reference && (await findReferenceOwner(tx, attempt, reference));
  if (owner) throw new Error(`${reference} belongs to the payment ${owner}`);
  const result = { result: 'approved', ...foundApproval(attempt, reference) } as const;
  const state = await storeResult(services, tx, attempt, result);
  if (state !== 'approved') throw new Error(`${attempt.id} became ${state}, not approved`);
  await alertWithoutChecks(services, tx, locked, rules);
}

/** Throws an `Error` for a charge that Florin must not record, with the next step. */
function requireCharge({ attempt, demand }: LockedPayment, rules: readonly CheckRule[]): void {
  const { id, status, amount_cents, amount_currency } = attempt;
  if (status === 'reversing')
    throw new Error(
      `Florin has begun to reverse ${id}. Refund every charge of its payment at the processor, then decide not-charged`,
    );
  const approved = approvedAmountOf(attempt);
  if (approved)
    throw new Error(
      `the processor approved ${approved}, and Florin would record ${amount_cents} ${amount_currency}. Refund it at the processor, then decide not-charged`,
    );
  const rule = ruleAgainst(attempt, demand, rules);
  if (rule)
    throw new Error(
      `the merchant refuses payments with ${rule}. Refund it at the processor, then decide not-charged`,
    );
}

/** Stores a result. Returns the attempt's new state. */
async function storeResult(
  services: Services,
  tx: Db,
  attempt: Row,
  result: AttemptResult,
): Promise<string> {
  const { states } = await storePaymentOutcomes(services, tx, [{ key: keyOf(attempt), result }]);
  const state = states.get(keyText(attempt));
  if (!state) throw new Error(`the outcome of ${attempt.id} is known already`);
  return state;
}

/** The payment is given up first. The reversal is not sent, since the person closes it at once. */
const resultsOfNoCharge = ({ status }: Row): AttemptResult[] => [
  ...(status === 'unknown' ? [{ result: 'given_up', asked_all: true } as const] : []),
  { result: 'closed' },
];

/** Reference of the charge, as later messages need it. Throws for a text that is no id of its processor. */
function referenceOf(
  services: Services,
  { attempt, demand }: LockedPayment,
  { reference: id }: AttemptDecision,
): string | undefined {
  const known = attempt.processor_reference;
  if (id !== undefined && !isSameReference(known, id))
    throw new Error(`the processor told ${known} of this payment, not ${id}`);
  const read = storedReference(services, attempt, id, demand.capture_method !== 'manual');
  if (!('form' in read)) return known ?? read.reference;
  throw new Error(
    id === undefined
      ? `refunds need an id: repeat the command with ${read.form}`
      : `${id} must be ${read.form}`,
  );
}
