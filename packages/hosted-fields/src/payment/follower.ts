import { awaitOutcome, type Outcome, type OutcomeOptions } from './outcome.ts';

/** Waits for the outcome of the latest attempt; an earlier one is no longer waited for. */
export function createFollower(options: OutcomeOptions, onOutcome: (outcome: Outcome) => void) {
  let current: AbortController | undefined;
  let told = false;
  const stop = (): void => {
    current?.abort();
    current = undefined;
  };
  /** From a new attempt on. */
  async function start(): Promise<void> {
    stop();
    told = false;
    const controller = new AbortController();
    current = controller;
    const outcome = await awaitOutcome(options, controller.signal);
    if (!outcome) return;
    current = undefined;
    told = true;
    onOutcome(outcome);
  }
  return {
    stop,
    start,
    /** For a page that asks; one whose question crosses the outcome gets no second outcome. */
    async listen(): Promise<void> {
      if (!current && !told) await start();
    },
  };
}
