const controller = new AbortController();

/** Aborted by the first SIGINT or SIGTERM of a command. */
export const interruption: AbortSignal = controller.signal;

export const interrupt = (): void => controller.abort();

const interrupted = new Promise<never>((_, reject) => {
  interruption.addEventListener('abort', () => reject(interruption.reason));
});
interrupted.catch(() => {});

/** Waits for `work`, and rejects once the command is interrupted. The work itself fails when Florin stops. */
export const untilInterrupted = <Result>(work: Promise<Result>): Promise<Result> =>
  Promise.race([interrupted, work]);
