/**
 * Runs `work` now and every `ms` until disposal, never twice concurrently. `work` must not throw. A run that takes longer
 * than `ms` leaves out the turns that it misses, so disposal waits for one run only.
 */
export function runEvery(ms: number, work: () => Promise<void>): AsyncDisposable {
  let isRunning = false;
  let currentRun = Promise.resolve();
  const run = (): void => {
    if (isRunning) return;
    isRunning = true;
    currentRun = work().finally(() => {
      isRunning = false;
    });
  };
  run();
  const timer = setInterval(run, ms);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await currentRun;
    },
  };
}
