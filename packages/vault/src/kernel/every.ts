/** Does `work`, which must not throw, now and every `ms` until it is disposed of, never twice at once. */
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
