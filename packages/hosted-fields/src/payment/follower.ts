import { awaitOutcome, type Outcome, type OutcomeOptions } from './outcome.ts';

/** Waits for the outcome of the latest attempt; an earlier one is no longer waited for. */
export function createFollower(options: OutcomeOptions, onOutcome: (outcome: Outcome) => void) {
  let current: AbortController | undefined;
  const stop = (): void => {
    current?.abort();
    current = undefined;
  };
  return {
    isFollowing: (): boolean => current !== undefined,
    stop,
    async start(): Promise<void> {
      stop();
      const controller = new AbortController();
      current = controller;
      const outcome = await awaitOutcome(options, controller.signal);
      if (!outcome) return;
      current = undefined;
      onOutcome(outcome);
    },
  };
}
