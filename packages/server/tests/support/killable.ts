import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ServerProcessOptions } from '../webhooks/server-process.ts';

/** A child process with parts of Florin, which a test kills. */
export interface KillableProcess extends AsyncDisposable {
  /** Kills the process with SIGKILL, so that it can finish nothing. */
  kill(): Promise<void>;
  /** Resolves with the signal that ended the process. */
  readonly exitSignal: Promise<NodeJS.Signals | null>;
}

/** Starts a child process and waits until it serves. Rejects if it ends before. */
export async function startKillableProcess(
  options: ServerProcessOptions,
): Promise<KillableProcess> {
  const script = join(import.meta.dirname, '../webhooks/server-process.ts');
  const child = fork(script, [JSON.stringify(options)], { execArgv: [] });
  const exitSignal = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null);
  await Promise.race([
    once(child, 'message'),
    exitSignal.then((signal) =>
      Promise.reject(new Error(`the process ended: ${child.exitCode ?? signal}`)),
    ),
  ]);
  const kill = (): Promise<void> => killAndWait(child, exitSignal);
  return { kill, exitSignal, [Symbol.asyncDispose]: kill };
}

async function killAndWait(child: ChildProcess, exitSignal: Promise<unknown>): Promise<void> {
  child.kill('SIGKILL');
  await exitSignal;
}
