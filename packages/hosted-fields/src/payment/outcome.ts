import type { SdkEventDetail, SdkEventName } from '@florin/contract/protocol/frame.ts';
import type { Api } from '../api.ts';

const INTERVAL_MS = 1_000;
const LIMIT_MS = 600_000;

export interface Outcome {
  readonly name: SdkEventName;
  readonly detail: SdkEventDetail;
}

export interface OutcomeOptions {
  readonly status: Api['status'];
  /** Clock in milliseconds; only differences count. */
  readonly now: () => number;
  readonly wait?: (ms: number) => Promise<void>;
}

const approvalOf = (detail: SdkEventDetail): Outcome => ({
  name: detail.payment_subscription ? 'subscription_approved' : 'payment_approved',
  detail,
});

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Polls the payment's status for ten minutes at most. Resolves to its terminal event, or undefined after an abort. */
export async function awaitOutcome(
  { status, now, wait = sleep }: OutcomeOptions,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const deadline = now() + LIMIT_MS;
  while (now() < deadline) {
    const answer = await status(signal);
    if (signal.aborted) return undefined;
    if (answer?.status === 'approved') return approvalOf(answer.detail);
    if (answer?.status === 'failed') return { name: 'payment_failed', detail: answer.detail };
    await wait(INTERVAL_MS);
  }
  return signal.aborted ? undefined : { name: 'payment_timeout', detail: { code: 'timeout' } };
}
