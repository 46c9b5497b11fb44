import type { Row } from '../../platform/database/row.ts';
import { keyOf, keyText } from '../../platform/database/row-key.ts';
import { findRowsByKey } from '../../platform/database/rows.ts';
import { scopeOf } from '../../platform/database/scope.ts';
import { lockRows } from '../../platform/database/transition.ts';
import type { Services } from '../../services.ts';
import { numberOf } from '../attempts/attempt-id.ts';
import { withApprovedAmount } from '../attempts/other-amount.ts';
import { processorOfRow } from '../attempts/own-processor.ts';
import { lastAuthorisations } from '../attempts/sql/last-authorisations.ts';
import { isConclusion } from '../attempts/unproven.ts';
import { paymentOf } from '../ledger/payment-of.ts';
import { methodOf } from '../payments/card.ts';
import type { AttemptResult } from '../payments/decide-outcome.ts';
import { type PaymentOutcomeRecorder, storePaymentOutcomes } from '../payments/record-outcome.ts';
import { lateApprovalsOf } from '../payments/sql/late-approvals.ts';
import type { Candidate } from '../processor-accounts/route-payment.ts';
import { hasMismatch } from '../risk/mismatches.ts';
import { adoptAttempt } from './adopt.ts';
import { ask, candidatesWith, type Lead, type Reply } from './ask.ts';
import { lastClosedSince } from './closed-since.ts';
import { whyUnclear } from './run.ts';

/** A recovered attempt, with the result that its own message has. */
interface Finding {
  readonly attempt: Row;
  readonly result: AttemptResult;
}

interface ClaimedFinding extends Finding {
  /** Renews the lease of a claimed attempt. Absent while the installation is closed: nobody else claims it then. */
  readonly renewLease?: (() => Promise<void>) | undefined;
}

/**
 * Asks about all messages that the payment of a recovered attempt may have, before a result ends the attempt without a
 * charge. Returns the result with its proof, or `unresolved`. A later message that an account knows is recorded in place of
 * the attempt: then undefined.
 */
export async function prove(
  services: Services,
  recordOutcome: PaymentOutcomeRecorder,
  { attempt, result, renewLease }: ClaimedFinding,
): Promise<AttemptResult | undefined> {
  if (!isConclusion(result) && !(await mayBeReversed(services, { attempt, result }))) return result;
  const [payment] = await findRowsByKey(services.db, 'payment_demands', [paymentOf(attempt)]);
  const processor = processorOfRow(services, attempt);
  if (!payment || !processor || payment.cancellation_reason) return result;
  const method = await findMethod(services, payment);
  const account = services.accounts.find(attempt.processor_account_id ?? '');
  const own = { processor, ...(account && { account }) };
  const reply = await askBeyond(
    services,
    { attempt, result, renewLease },
    { payment, method, own },
  );
  if (reply.found === 'nothing') return { ...result, asked_all: true };
  const { lead } = reply;
  if (reply.found === 'unclear') return { ...unresolved(lead), ...partOf(attempt, result) };
  if (lead.id === attempt.id) return ofOwnNumber(lead, own, result);
  await supersede(services, recordOutcome, { attempt, result }, { lead, method });
  return undefined;
}

/** Whether a rule of the merchant may have reversed the approval in the lost time. A payer could then pay again. */
async function mayBeReversed({ db }: Services, { attempt, result }: Finding): Promise<boolean> {
  if (result.result !== 'approved') return false;
  return hasMismatch(result) || (await lateApprovalsOf(db, scopeOf(attempt))) === 'reverse';
}

interface AskedPayment {
  readonly payment: Row;
  readonly method: Row | undefined;
  readonly own: Candidate;
}

async function findMethod({ db }: Services, payment: Row): Promise<Row | undefined> {
  if (!payment.payment_method_id) return undefined;
  const [method] = await findRowsByKey(db, 'payment_methods', [methodOf(payment)]);
  return method;
}

/** Asks from the attempt's own number on, or after it where its own message is known to charge. */
async function askBeyond(
  services: Services,
  { attempt, result, renewLease }: ClaimedFinding,
  { payment, method, own }: AskedPayment,
): Promise<Reply> {
  const payment_id = payment.id as string;
  const number = numberOf(payment_id, attempt.id as string);
  const last = (await lastAuthorisations(services.db, [keyOf(payment)])).get(keyText(payment));
  const known = number === undefined ? (last ?? 0) : isFree(attempt, result) ? number - 1 : number;
  const candidates = candidatesWith(services, { payment, method }, own);
  const question = {
    ...scopeOf(payment),
    payment_id,
    known,
    candidates,
    ...(renewLease && { beforeRound: renewLease }),
  };
  return ask(services, question, await lastClosedSince(services));
}

/** Whether the attempt's own message charges nothing, as far as its result tells. */
const isFree = ({ status }: Row, { result }: AttemptResult): boolean =>
  status !== 'reversing' &&
  (result === 'declined' || result === 'not_found' || result === 'given_up');

const approvalOf = (result: AttemptResult) =>
  result.result === 'approved' || result.result === 'partly_approved' ? { approval: result } : {};

const unresolved = (lead: Lead): AttemptResult => ({
  result: 'unresolved',
  why: whyUnclear(lead),
  ...(lead.result.result === 'unresolved' &&
    lead.result.next !== undefined && { next: lead.result.next }),
});

/** The approved part, which a person must not record as the whole amount. */
const partOf = ({ amount_currency }: Row, result: AttemptResult) =>
  result.result === 'partly_approved'
    ? { codes: withApprovedAmount(result.codes, `${result.approvedAmount} ${amount_currency}`) }
    : {};

/** The attempt's number at its own account, which is asked again later, or at another one, which an operator looks up. */
function ofOwnNumber(
  { candidate, result }: Lead,
  own: Candidate,
  given: AttemptResult,
): AttemptResult {
  const isOwn = candidate.account?.id === own.account?.id;
  if (isOwn && result.result === 'declined') return { ...given, asked_all: true };
  return isOwn
    ? { result: 'unresolved', why: `the answers differ: ${given.result}, then ${result.result}` }
    : contradiction({ id: 'the same attempt', candidate, result });
}

const contradiction = ({ id, candidate, result }: Pick<Lead, 'id' | 'candidate' | 'result'>) =>
  ({
    result: 'unresolved',
    why: `${candidate.account?.name ?? candidate.processor.metadata.display_name} answers ${result.result} about ${id}`,
    next: 'operator',
  }) as const;

/**
 * Records a later message of the payment in place of an attempt, in one transaction. The later one left only after Florin
 * had ended the attempt without a charge.
 */
async function supersede(
  services: Services,
  recordOutcome: PaymentOutcomeRecorder,
  { attempt, result }: Finding,
  { lead, method }: { readonly lead: Lead; readonly method: Row | undefined },
): Promise<void> {
  const key = keyOf(attempt);
  const isAdopted = await services.db.transaction(async (tx) => {
    const { states } = await storePaymentOutcomes(services, tx, [
      { key, result: { result: 'superseded', ...approvalOf(result) } },
    ]);
    if (!states.has(keyText(key))) return false;
    const payments = await lockRows(tx, 'payment_demands', [paymentOf(attempt)]);
    const payment = payments.get(keyText(paymentOf(attempt)));
    await adoptAttempt(services, tx, payment as Row, lead, method);
    return true;
  });
  if (!isAdopted) return;
  const later = { merchant_id: key.merchant_id, id: lead.id };
  await recordOutcome({ key: later, result: lead.result });
}
