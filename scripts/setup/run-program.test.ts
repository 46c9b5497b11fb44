import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';

/** Prints every signal, and the loss of its parent, after reporting that it is ready. */
const PROGRAM = `
  let signals = 0;
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {
    console.log(signal, ++signals);
    setTimeout(() => process.exit(7), 500);
  });
  process.on('disconnect', () => { console.log('orphan'); process.exit(); });
  console.log('ready');`;
const RUNNER = `
  const { runProgram } = await import(${JSON.stringify(join(import.meta.dirname, 'run-program.mjs'))});
  process.exitCode = await runProgram(process.execPath, ['--eval', ${JSON.stringify(PROGRAM)}], '/');`;

async function startRunner(): Promise<{
  runner: ChildProcess;
  readRemainingLines: () => Promise<string[]>;
}> {
  const runner = spawn(process.execPath, ['--input-type=module', '--eval', RUNNER], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void runner.kill('SIGKILL'));
  const lines = createInterface({ input: runner.stdout! })[Symbol.asyncIterator]();
  await lines.next();
  return {
    runner,
    readRemainingLines: () => Array.fromAsync({ [Symbol.asyncIterator]: () => lines }),
  };
}

describe('the program of an npm script', () => {
  it("gets a signal once, even if npm repeats the terminal's, and its exit code is passed on", async () => {
    const { runner, readRemainingLines } = await startRunner();
    const runnerExit = once(runner, 'exit');
    runner.kill('SIGINT');
    runner.kill('SIGTERM');
    expect(await readRemainingLines()).toHaveLength(1);
    expect(await runnerExit).toEqual([7, null]);
  });

  it('notices when the script is killed', async () => {
    const { runner, readRemainingLines } = await startRunner();
    runner.kill('SIGKILL');
    expect(await readRemainingLines()).toEqual(['orphan']);
  });
});
