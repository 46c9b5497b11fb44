import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startChild } from '../src/supervisor/child.ts';
import { openLogFile } from '../src/supervisor/log-file.ts';
import { fixture, temporaryDirectory } from './support.ts';

/** Longer than Node takes to open a debugger. */
const DEBUGGER_MS = 500;

async function start(guarded: boolean) {
  const directory = temporaryDirectory();
  const started: number[] = [];
  const log = openLogFile(join(directory, 'child.log'));
  const running = startChild({
    title: 'The child',
    script: fixture('child.mjs'),
    env: { NAME: 'child', MODE: 'serve', JOURNAL: join(directory, 'journal') },
    log,
    guarded,
    onSpawn: (pid) => started.push(pid),
  });
  onTestFinished(() => running.stop(0));
  await running.ready;
  return { pid: started[0] as number, log, running };
}

const coreLimit = (pid: number): string | undefined =>
  /^Max core file size +(\S+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.[1];

describe('a child whose memory holds secrets', () => {
  it.runIf(process.platform === 'linux')('leaves no core dump', async () => {
    const { pid } = await start(true);
    expect(coreLimit(pid)).toBe('0');
  });

  it('opens no debugger on a signal, unlike an unguarded one, and keeps serving', async () => {
    const [guarded, other] = [await start(true), await start(false)];
    for (const { pid } of [guarded, other]) process.kill(pid, 'SIGUSR1');
    await expect.poll(() => other.log.tail(), { timeout: 10_000 }).toContain('Debugger listening');
    await sleep(DEBUGGER_MS);
    expect(guarded.log.tail()).not.toContain('Debugger');
    expect(() => process.kill(guarded.pid, 0)).not.toThrow();
  });
});
