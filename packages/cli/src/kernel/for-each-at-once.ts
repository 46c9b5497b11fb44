/** Runs `work` for each item, `limit` at a time. Rejects with the first failure, once all running work has ended. */
export async function forEachAtOnce<T>(
  limit: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  let hasFailed = false;
  const run = async () => {
    for (const item of queue) {
      if (hasFailed) return;
      await work(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  const results = await Promise.allSettled(Array.from({ length: limit }, run));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
}
