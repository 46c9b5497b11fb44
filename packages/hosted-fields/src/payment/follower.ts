import { awaitOutcome, type Outcome, type OutcomeOptions } from './outcome.ts';

/** Polls for the outcome of the latest attempt only. */
export function createFollower(options: OutcomeOptions, onOutcome: (outcome: Outcome) => void) {
  let current: AbortController | undefined;
  let reported = false;
  const stop = (): void => {
    current?.abort();
    current = undefined;
  };
  /** Starts polling; called at the start of each attempt. */
  async function start(): Promise<void> {
    stop();
    reported = false;
    const controller = new AbortController();
    current = controller;
    const outcome = await awaitOutcome(options, controller.signal);
    if (!outcome) return;
    current = undefined;
    reported = true;
    onOutcome(outcome);
  }
  return {
    stop,
    start,
    /** Called when the page requests the outcome. Does nothing if the outcome was already reported. */
    async listen(): Promise<void> {
      if (!current && !reported) await start();
    },
  };
}
