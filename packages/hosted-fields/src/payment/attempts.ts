import { ABANDON_GRACE_MS } from '@florin/contract/protocol/frame.ts';
import type { Outcome } from './outcome.ts';

export interface AttemptsOptions {
  verify(signal: AbortSignal): Promise<Outcome>;
  /** Called once per attempt; `id` is that of the page's question, undefined where the form itself began. */
  onOutcome(outcome: Outcome, id: number | undefined): void;
  readonly grace_ms?: number;
}

interface Attempt {
  id: number | undefined;
  readonly abandon: () => void;
}

/** Verifications, one at a time: whoever asks while one is under way gets the outcome of that one. */
export function createAttempts({
  verify,
  onOutcome,
  grace_ms = ABANDON_GRACE_MS,
}: AttemptsOptions) {
  let current: Attempt | undefined;

  async function run(id: number | undefined): Promise<void> {
    const controller = new AbortController();
    const abandoned = new Promise<Outcome>((resolve) => {
      controller.signal.addEventListener('abort', () => resolve(timeout));
    });
    const attempt: Attempt = { id, abandon: () => controller.abort() };
    current = attempt;
    const outcome = await Promise.race([verify(controller.signal), abandoned]);
    current = undefined;
    onOutcome(controller.signal.aborted ? timeout : outcome, attempt.id);
  }

  return {
    start(id?: number): void {
      if (!current) void run(id);
      else if (id !== undefined) current.id = id;
    },
    /** Abandons the attempt that answers this question, unless its outcome is there within the grace. */
    cancel(id: number): void {
      if (current?.id === id) setTimeout(current.abandon, grace_ms);
    },
  };
}

const timeout: Outcome = { name: 'payment_timeout', detail: { code: 'timeout' } };
