import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { waitUntil } from '../src/kernel/poll.ts';
import { identityOf } from '../src/kernel/process-identity.ts';
import { startChild } from '../src/supervisor/child.ts';
import { openLogFile } from '../src/supervisor/log-file.ts';
import { RESTARTS_MAX } from '../src/supervisor/restart-budget.ts';
import type { Service } from '../src/supervisor/slot.ts';
import { createStack } from '../src/supervisor/stack.ts';
import { fixture, temporaryDirectory } from './support.ts';

const WAIT_MS = 15_000;

function createTestStack(diskFull = () => false) {
  const directory = temporaryDirectory();
  const journal = join(directory, 'journal');
  const printed: string[] = [];
  const failures: string[] = [];
  const pids: number[] = [];
  const stack = createStack({
    print: (sentence) => printed.push(sentence),
    fail: ({ message }) => failures.push(message),
    diskFull,
  });
  onTestFinished(() => stack.stop(0));
  const serviceNamed = (name: string, MODE = 'serve', restartMode = MODE): Service => ({
    title: `The ${name}`,
    start: (previousReady) =>
      startChild({
        title: `The ${name}`,
        script: fixture('child.mjs'),
        env: { NAME: name, MODE: previousReady ? restartMode : MODE, JOURNAL: journal },
        log: openLogFile(join(directory, 'child.log')),
        onSpawn: (pid) => pids.push(pid),
      }),
  });
  const lines = () => readFileSync(journal, 'utf8').trim().split('\n');
  return { stack, service: serviceNamed, printed, failures, pids, lines };
}

describe('a supervised child', () => {
  it('reports its ready message', async () => {
    const { stack, service, pids } = createTestStack();
    const ready = await stack.start(service('server'));
    expect(ready).toEqual({ type: 'ready', url: `http://localhost/${pids[0]}` });
  });

  it('is restarted after it was killed', async () => {
    const { stack, service, printed, pids } = createTestStack();
    await stack.start(service('vault'));
    process.kill(pids[0]!, 'SIGKILL');
    await vi.waitFor(() => expect(pids).toHaveLength(2), WAIT_MS);
    expect(identityOf(pids[1]!)).toBeDefined();
    expect(printed).toEqual(['The vault ended unexpectedly; restarting it.']);
  });

  it('is given up after too many exits, of which those on a full disk do not count', async () => {
    const answers = [true];
    const { stack, service, failures, printed, pids } = createTestStack(
      () => answers.pop() ?? false,
    );
    await stack.start(service('server', 'serve', 'crash'));
    process.kill(pids[0]!, 'SIGKILL');
    await vi.waitFor(() => expect(failures).toHaveLength(1), WAIT_MS);
    expect(failures).toEqual(['The server ended 6 times within a minute, so Florin stops.']);
    expect(pids).toHaveLength(RESTARTS_MAX + 2);
    expect(printed[0]).toBe(
      'The server ended and the disk is full; free some space. Florin restarts it until it runs.',
    );
  });

  it.each([
    ['says why', 'refuse', 'The port is taken; set PORT to another.'],
    ['just ends', 'crash', /^The server ended while it started; see .*child\.log\.$/],
  ])('that cannot start and %s is not restarted', async (_name, mode, sentence) => {
    const { stack, service, pids } = createTestStack();
    await expect(stack.start(service('server', mode))).rejects.toThrow(sentence);
    await stack.stop();
    expect(pids).toHaveLength(1);
  });

  it('that ignores the stop signal is killed at the limit', async () => {
    const { stack, service, pids } = createTestStack();
    await stack.start(service('server', 'deaf'));
    await stack.stop(100);
    expect(identityOf(pids[0]!)).toBeUndefined();
  });

  it('ends when its supervisor is killed', async () => {
    const parent = spawn(process.execPath, [fixture('parent.ts')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: parent.stdout })[Symbol.asyncIterator]();
    const pid = Number((await lines.next()).value);
    expect((await lines.next()).value).toBe('ready');
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    expect(await waitUntil(() => identityOf(pid) === undefined, WAIT_MS)).toBe(true);
  });
});

describe('a stack of services', () => {
  it('stops in the reverse order of its start', async () => {
    const { stack, service, lines } = createTestStack();
    for (const name of ['simulator', 'vault', 'server']) await stack.start(service(name));
    await stack.stop();
    expect(lines()).toEqual([
      'start simulator',
      'start vault',
      'start server',
      'stop server',
      'stop vault',
      'stop simulator',
    ]);
  });

  it('starts nothing after a stop request', async () => {
    const { stack, service, pids } = createTestStack();
    await stack.stop();
    await expect(stack.start(service('server'))).rejects.toThrow();
    expect(pids).toEqual([]);
  });
});
