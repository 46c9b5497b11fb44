import type { Row } from '../../platform/database/row.ts';
import { keyOf } from '../../platform/database/row-key.ts';
import { findRow } from '../../platform/database/rows.ts';
import { scopeOf } from '../../platform/database/scope.ts';
import type { ProcessorAccount } from '../../processors/accounts.ts';
import type { AuthorisationChange, ChangesOperation } from '../../processors/port/changes.ts';
import { processorOfRow } from '../attempts/own-processor.ts';
import { sendAboutAttempt } from '../attempts/send-message.ts';
import { paymentOf } from '../ledger/payment-of.ts';
import { endKnownHold } from './end-hold.ts';
import { recordKnownFollowUp, storePastFollowUp } from './follow-ups/store-follow-up.ts';
import { forEachAtOnce, type LearningRun, leaveToPerson } from './run.ts';
import { changeablePayments } from './sql/changeable-payments.ts';
import { clearDoubts } from './sql/doubts.ts';
import { merchantsOf } from './sql/merchants.ts';

/** Accounts that tell about captures, refunds and releases only if their id is known. */
export const accountsWithoutChanges = (accounts: readonly ProcessorAccount[]): ProcessorAccount[] =>
  accounts.filter(({ status, processor }) => status !== 'removed' && !processor.changes);

/**
 * Learns which known payments at accounts were captured, refunded or released after the restored time. A hold whose account
 * does not tell, and a payment with a change that Florin cannot record, are left to a person.
 */
export async function learnChanges(run: LearningRun): Promise<void> {
  const { db, accounts } = run.services;
  if (accounts.all().length === 0) return;
  for await (const merchants of merchantsOf(db))
    for (const { id } of merchants)
      for await (const authorisations of changeablePayments(db, id as string, run.restored_to)) {
        await forEachAtOnce(authorisations, (one) => learnAuthorisationChanges(run, one));
        await run.progress();
      }
}

async function learnAuthorisationChanges(run: LearningRun, authorisation: Row): Promise<void> {
  const { services, is_dry } = run;
  const changes = processorOfRow(services, authorisation)?.changes;
  const isHold = authorisation.payment_status === 'authorised' || authorisation.keeps_hold === 't';
  if (!changes && !isHold) return;
  const doubt = changes
    ? await recordChanges(run, authorisation, changes)
    : 'its account does not tell whether it was captured or released';
  if (doubt !== undefined) await leaveToPerson(run, authorisation, doubt);
  else if (!is_dry) await clearDoubts(services.db, [keyOf(authorisation)]);
}

/** Asks for the changes of an authorisation and records all that it can. Returns why a person must decide. */
async function recordChanges(
  run: LearningRun,
  authorisation: Row,
  { mapRequest, mapAnswer }: ChangesOperation,
): Promise<string | undefined> {
  const { id: attempt_id, processor_reference } = authorisation;
  if (!processor_reference) return 'Florin has no reference of its processor';
  run.counts.asked += 1;
  const request = mapRequest({ attempt_id: attempt_id as string, processor_reference });
  const answer = await sendAboutAttempt(run.services, authorisation, request);
  const list = mapAnswer(answer, authorisation.amount_currency as string);
  if (list.result !== 'changes') return `its account did not list its changes: ${list.why}`;
  const doubts: string[] = [];
  for (const change of list.changes) {
    // A release after a capture without a record would end the whole hold, and reverse it.
    const doubt =
      change.kind === 'release' && doubts.length > 0
        ? 'its rest was released'
        : await recordChange(run, authorisation, change);
    if (doubt !== undefined) doubts.push(doubt);
  }
  return doubts.length > 0 ? doubts.join('; ') : undefined;
}

async function recordChange(
  run: LearningRun,
  authorisation: Row,
  { kind, demand_id, amount = 0, final, is_pending }: AuthorisationChange,
): Promise<string | undefined> {
  if (kind === 'release')
    return is_pending ? 'its release is pending' : endKnownHold(run, authorisation);
  const table = kind === 'capture' ? 'capture_demands' : 'refund_demands';
  const scope = scopeOf(authorisation);
  const known = demand_id ? await findRow(run.services.db, table, scope, demand_id) : undefined;
  if (known) {
    return recordKnownFollowUp(run, kind, known, authorisation);
  }
  const currency = authorisation.amount_currency as string;
  const text = `its account has a ${kind} of ${amount} ${currency} in minor units`;
  if (!demand_id) return `${text}, which Florin did not send`;
  if (is_pending) return `${text}, which is pending`;
  const isFinal = kind === 'refund' || (final ?? (await isRest(run, authorisation, amount)));
  if (isFinal === undefined) return `${text}, and does not tell whether the rest is still on hold`;
  const past = { kind, reference: demand_id, amount, currency, final: isFinal } as const;
  if (!(await storePastFollowUp(run, past, authorisation)))
    return `${text}, which Florin could not record`;
  run.counts.follow_ups += 1;
  return undefined;
}

/** True if a capture takes all that is left of its hold. Otherwise nobody tells whether it ended the hold. */
async function isRest(
  run: LearningRun,
  authorisation: Row,
  amount: number,
): Promise<true | undefined> {
  const { id } = paymentOf(authorisation);
  const payment = await findRow(run.services.db, 'payment_demands', scopeOf(authorisation), id);
  const left = Number(payment?.amount_authorised_cents) - Number(payment?.amount_captured_cents);
  return amount === left ? true : undefined;
}
