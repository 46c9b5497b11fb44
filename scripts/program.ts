import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');

const runningChildren = new Set<ChildProcess>();

export interface Outcome {
  /** Exit code; null after a signal. */
  readonly code: number | null;
  /** The program's output; empty if it was shown directly. */
  readonly output: string;
}

/** Runs a Node program from the dependencies until it ends, with its output shown or collected. */
export function runNode(args: readonly string[], isShown: boolean): Promise<Outcome> {
  const stdio = isShown ? 'inherit' : 'pipe';
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', stdio, stdio] });
  runningChildren.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  }
  return new Promise((resolve) => {
    child.once('close', (code) => {
      runningChildren.delete(child);
      resolve({ code, output });
    });
  });
}

/** Forwards stop signals to the running program, then ends this process. */
export function stopOnRequest(): void {
  const stop = () => {
    for (const child of runningChildren) child.kill('SIGTERM');
    process.exitCode = 130;
    if (runningChildren.size === 0) process.exit();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  process.once('disconnect', stop);
}
