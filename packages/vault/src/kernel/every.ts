/** Runs `work` now and every `ms` until disposal, never twice concurrently. `work` must not throw. */
export function runEvery(ms: number, work: () => Promise<void>): AsyncDisposable {
  let currentRun = work();
  const timer = setInterval(() => {
    currentRun = currentRun.then(work);
  }, ms);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await currentRun;
    },
  };
}
