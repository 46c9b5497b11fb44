import type { DeliveryChange, StoredDelivery } from './delivery-books.ts';
import { type ReceiverAnswer, sendDelivery } from './send-delivery.ts';

/** Rules of a processor for attempts and their responses. */
export interface AttemptPolicy {
  /** Waits before the second and later attempts, in milliseconds. */
  readonly retryWaitsMs: readonly number[];
  /** Time that a receiver has for its response, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether a response accepts the notification. */
  isAccepted(answer: ReceiverAnswer): boolean;
}

/** Sends a delivery once, and returns its next state: delivered, waiting for another attempt, or failed. */
export async function attemptDelivery(
  { retryWaitsMs, timeoutMs, isAccepted }: AttemptPolicy,
  delivery: StoredDelivery,
  { now, closingSignal }: { readonly now: () => number; readonly closingSignal: AbortSignal },
): Promise<DeliveryChange> {
  const { position } = delivery;
  const attempts = delivery.attempts + 1;
  const answer = await sendDelivery(delivery, timeoutMs, closingSignal).catch(reasonOf);
  const lastResult = typeof answer === 'string' ? answer : String(answer.status);
  const dueAt = now();
  if (typeof answer === 'object' && isAccepted(answer))
    return { position, state: 'delivered', attempts, dueAt, lastResult };
  const wait_ms = retryWaitsMs[attempts - 1];
  return wait_ms === undefined
    ? { position, state: 'failed', attempts, dueAt, lastResult }
    : { position, state: 'waiting', attempts, dueAt: dueAt + wait_ms, lastResult };
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.name : 'The receiver sent no response.';
