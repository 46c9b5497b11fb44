import { flushCompileCache } from 'node:module';

/**
 * Starts a process of the run. Reports to the supervisor that it serves, or why it cannot, and stops with the
 * supervisor.
 */
export async function runAsChild(start: () => Promise<AsyncDisposable>): Promise<void> {
  try {
    const part = await start();
    let stopping = false;
    const stop = async (): Promise<void> => {
      if (stopping) return;
      stopping = true;
      await part[Symbol.asyncDispose]();
      process.exit(0);
    };
    for (const signal of ['SIGTERM', 'disconnect']) process.once(signal, stop);
    process.send?.({ type: 'ready' });
    // A killed process does not write its compiled code, which its next life needs.
    flushCompileCache();
  } catch (error) {
    const message = (error as Error).message;
    process.send?.({ type: 'failed', message }, () => process.exit(1));
  }
}
