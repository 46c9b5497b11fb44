/** Runs `work` now and every `ms` until disposal, never twice concurrently. `work` must not throw. */
export function every(ms: number, work: () => Promise<void>): AsyncDisposable {
  let running = work();
  const timer = setInterval(() => {
    running = running.then(work);
  }, ms);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await running;
    },
  };
}
