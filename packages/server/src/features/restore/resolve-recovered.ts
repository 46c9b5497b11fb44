import type { Row } from '../../platform/database/row.ts';
import { keyOf } from '../../platform/database/row-key.ts';
import type { Services } from '../../services.ts';
import { processorOfRow } from '../attempts/own-processor.ts';
import { reportToOperator } from '../attempts/report-to-operator.ts';
import type { PaymentOutcomeRecorder } from '../payments/record-outcome.ts';
import { inquirePayment, resolveAuthorisation, reverse } from '../payments/resolve.ts';
import { createLeaseRenewal } from './lease-renewal.ts';
import { prove } from './prove.ts';

/**
 * Finds the outcome of an authorisation. A recovered one ends without a charge, or is reversed, only after all messages of
 * its payment were asked about again.
 */
export async function resolveRecoverable(
  services: Services,
  recordOutcome: PaymentOutcomeRecorder,
  attempt: Row,
): Promise<void> {
  const processor = processorOfRow(services, attempt);
  if (!attempt.recovered_at || attempt.abandoned_at || !processor)
    return resolveAuthorisation(services, recordOutcome, attempt);
  const key = keyOf(attempt);
  const isReversing = attempt.status === 'reversing';
  const found = isReversing
    ? ({ result: 'reversed' } as const)
    : await inquirePayment(services, processor, attempt);
  const result = await prove(services, recordOutcome, {
    attempt,
    result: found,
    renewLease: createLeaseRenewal(services, attempt),
  });
  if (!result) return;
  if (result.result === 'unresolved') reportToOperator(services.logger, attempt, result.next);
  const isReversible = isReversing
    ? result.result === 'reversed'
    : (await recordOutcome({ key, result })) === 'reversing';
  if (!isReversible) {
    if (isReversing) await recordOutcome({ key, result });
    return;
  }
  const reversal = await reverse(services, recordOutcome, { processor, attempt });
  await recordOutcome({ key, result: { ...reversal, asked_all: true } });
  if (reversal.result === 'unresolved') reportToOperator(services.logger, attempt, reversal.next);
}
