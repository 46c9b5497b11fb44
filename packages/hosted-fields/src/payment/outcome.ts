import type { SdkEventDetail, SdkEventName } from '@florin/contract/protocol/frame.ts';
import type { Api } from '../api.ts';

const INTERVAL_MS = 1_000;
const LIMIT_MS = 600_000;
/** Time after which an outcome counts as slow: most banks answer within a few seconds. */
const SLOW_MS = 20_000;

export interface Outcome {
  readonly name: SdkEventName;
  readonly detail: SdkEventDetail;
}

export interface OutcomeOptions {
  readonly status: Api['status'];
  /** Clock in milliseconds; only differences count. */
  readonly now: () => number;
  readonly wait?: (ms: number) => Promise<void>;
  /** Called once, when an outcome is missing for 20 seconds. */
  readonly onSlow: () => unknown;
}

export const timeoutOutcome: Outcome = { name: 'payment_timeout', detail: { code: 'timeout' } };

const approvalOf = (detail: SdkEventDetail): Outcome => ({
  name: detail.payment_subscription ? 'subscription_approved' : 'payment_approved',
  detail,
});

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Polls the payment's status for ten minutes at most. Resolves to its terminal event, or undefined after an abort. */
export async function awaitOutcome(
  { status, now, wait = sleep, onSlow }: OutcomeOptions,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const start = now();
  let slowAt = start + SLOW_MS;
  while (now() < start + LIMIT_MS) {
    const answer = await status(signal);
    if (signal.aborted) return undefined;
    if (answer?.status === 'approved') return approvalOf(answer.detail);
    if (answer?.status === 'failed') return { name: 'payment_failed', detail: answer.detail };
    if (now() >= slowAt) {
      slowAt = Number.POSITIVE_INFINITY;
      onSlow();
    }
    await wait(INTERVAL_MS);
  }
  return signal.aborted ? undefined : timeoutOutcome;
}
