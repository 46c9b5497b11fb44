import { flushCompileCache } from 'node:module';

/**
 * Starts a process of the run. Reports to the supervisor that it serves, or why it cannot, and stops with the
 * supervisor.
 */
export async function runAsChild(start: () => Promise<AsyncDisposable>): Promise<void> {
  try {
    const service = await start();
    let stopping = false;
    const stop = async (): Promise<void> => {
      if (stopping) return;
      stopping = true;
      await service[Symbol.asyncDispose]();
      process.exit(0);
    };
    for (const signal of ['SIGTERM', 'disconnect']) process.once(signal, stop);
    process.send?.({ type: 'ready' });
    // Node writes its compile cache at exit, and a killed process has no exit. The restart needs the cache.
    flushCompileCache();
  } catch (error) {
    const message = (error as Error).message;
    process.send?.({ type: 'failed', message }, () => process.exit(1));
  }
}
