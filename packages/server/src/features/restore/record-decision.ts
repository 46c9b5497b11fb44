import type { Row } from '../../platform/database/row.ts';
import { keyOf, keyText } from '../../platform/database/row-key.ts';
import type { Services } from '../../services.ts';
import { appendCommand } from '../audit-log/sql.ts';
import type { AttemptResult } from '../payments/decide-outcome.ts';
import { storePaymentOutcomes } from '../payments/record-outcome.ts';
import type { RestoreRequest } from './requests.ts';
import { findAnyAttempt } from './sql/known-records.ts';

type Decision = Extract<RestoreRequest, { verb: 'decide' }>;

/**
 * Records what a person found out about a held payment, in the audit log too. Returns a sentence. A payment that was not
 * charged fails; a late approval of it is reversed.
 */
export async function recordDecision(services: Services, decision: Decision): Promise<string> {
  const { attempt: id, outcome } = decision;
  const attempt = await findAnyAttempt(services.db, id);
  if (attempt?.operation !== 'authorise' || !attempt.recovered_at)
    throw new Error(`${id} is no attempt of the report`);
  if (attempt.status !== 'unknown') throw new Error(`the outcome of ${id} is known already`);
  if (attempt.due_at) throw new Error(`Florin finds out about ${id} itself, once it is open`);
  const key = keyOf(attempt);
  await services.db.transaction(async (tx) => {
    const { states } = await storePaymentOutcomes(services, tx, [
      { key, result: firstResult(attempt, decision) },
    ]);
    if (!states.has(keyText(attempt))) throw new Error(`the outcome of ${id} is known already`);
    if (outcome === 'not-charged')
      await storePaymentOutcomes(services, tx, [{ key, result: { result: 'closed' } }]);
    const { user } = decision;
    await appendCommand(tx, { command: `restore decide ${outcome}`, subject: id, user });
  });
  services.wake.deliver.raise();
  return `Recorded: ${id} was ${outcome === 'charged' ? 'charged' : 'not charged'}.`;
}

/** A payment that was not charged is given up first. The reversal is not sent, since the person closes it at once. */
function firstResult(attempt: Row, { outcome, reference }: Decision): AttemptResult {
  if (outcome === 'not-charged') return { result: 'given_up' };
  const processor_reference = reference ?? attempt.processor_reference;
  return {
    result: 'approved',
    authorisation_code: null,
    network_transaction_id: null,
    cvc2_check: 'unprocessed',
    address_line1_verification: 'unverified',
    postal_code_verification: 'unverified',
    ...(processor_reference && { processor_reference }),
  };
}
