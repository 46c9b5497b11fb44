import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { describeError } from './run-command.ts';

const urlOf = (file: string): string => pathToFileURL(`${import.meta.dirname}/${file}`).href;

/** A command that has a folder, waits for ever, and takes `stop_ms` to stop. */
const program = (stop_ms: number): string => `
  import { makeFolder } from '${urlOf('folders.ts')}';
  import { untilInterrupted } from '${urlOf('interruption.ts')}';
  import { runCommand } from '${urlOf('run-command.ts')}';
  const timer = setInterval(() => {}, 1000);
  await runCommand(async () => {
    await using opened = { [Symbol.asyncDispose]: () => new Promise((stop) => setTimeout(stop, ${stop_ms})) };
    console.log(makeFolder('test'));
    await untilInterrupted(new Promise(() => {}));
  });`;

async function interruptCommand(stop_ms: number, signals: readonly NodeJS.Signals[]) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program(stop_ms)]);
  const lines: string[] = [];
  child.stdout.on('data', (data: Buffer) => lines.push(...data.toString().trim().split('\n')));
  const closed = once(child, 'close');
  await once(child.stdout, 'data');
  for (const signal of signals) {
    const isHeard = once(child.stderr, 'data');
    child.kill(signal);
    await Promise.race([isHeard, closed]);
  }
  const [code] = await closed;
  const [folder = '', ...said] = lines;
  const hasFolder = existsSync(folder);
  rmSync(folder, { recursive: true, force: true });
  return { code, said, hasFolder };
}

it.each(['SIGINT', 'SIGTERM'] as const)('a command removes its folder after %s', async (signal) => {
  const { code, said, hasFolder } = await interruptCommand(0, [signal]);
  expect({ code, said, hasFolder }).toEqual({
    code: 130,
    said: ['Interrupted. Nothing was written.'],
    hasFolder: false,
  });
});

it('a second signal ends a command that is still stopping', async () => {
  const { code, said } = await interruptCommand(3_600_000, ['SIGTERM', 'SIGTERM']);
  expect({ code, said }).toEqual({ code: 130, said: [] });
});

it('an expected error has no stack, also if the clean-up fails after it', () => {
  const refused = new Error('5 requests were refused');
  const suppressed = new SuppressedError(new Error('no connection'), refused, '');
  expect(describeError(suppressed)).toBe('5 requests were refused');
  expect(describeError(new TypeError('x is undefined'))).toContain('run-command.test.ts');
});
