import type { RecordOf } from '../../../api/types.ts';
import type { CheckoutType } from './use-intent.ts';

/** Result of a checkout. `unsent`: the confirmation had no effect. `unknown`: the bank has not answered in time. */
export type Outcome = 'waiting' | 'unknown' | 'paid' | 'held' | 'declined' | 'unsent' | 'canceled';

const payments: Readonly<Record<string, Outcome>> = {
  incomplete: 'unsent',
  ready: 'unsent',
  pending: 'waiting',
  processing: 'waiting',
  authorised: 'held',
  failed: 'declined',
  canceled: 'canceled',
};

/** Facts about the page that shows an outcome. */
interface Waited {
  /** Whether the last confirmation had no response, and another one was declined before. */
  readonly isUnanswered: boolean;
  /** Whether the page waited as long as it waits. */
  readonly isExhausted: boolean;
}

/** Returns the outcome to show. An earlier decline says nothing about a confirmation that may still arrive. */
export function shownOutcome(outcome: Outcome, { isUnanswered, isExhausted }: Waited): Outcome {
  if (outcome === 'waiting' && isExhausted) return 'unknown';
  if (outcome === 'declined' && isUnanswered && !isExhausted) return 'unsent';
  return outcome;
}

/** Returns the outcome of a payment, or of a subscription's first charge. */
export function outcomeOf(record: RecordOf<CheckoutType>): Outcome {
  if (record.meta?.outcome === 'unknown') return 'unknown';
  const { status, confirmed, failure_reason } = record.attributes;
  if (record.type === 'payment_demands') return payments[status] ?? 'paid';
  if (!confirmed) return 'unsent';
  if (status === 'pending') return failure_reason ? 'declined' : 'waiting';
  return status === 'cancelled' ? 'canceled' : 'paid';
}
