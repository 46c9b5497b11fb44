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
  const pids: number[] = [];
  const log = openLogFile(join(directory, 'child.log'));
  const childRun = startChild({
    title: 'The child',
    script: fixture('child.mjs'),
    env: { NAME: 'child', MODE: 'serve', JOURNAL: join(directory, 'journal') },
    log,
    guarded,
    onSpawn: (pid) => pids.push(pid),
  });
  onTestFinished(() => childRun.stop(0));
  await childRun.ready;
  return { pid: pids[0] as number, log, childRun };
}

const coreLimit = (pid: number): string | undefined =>
  /^Max core file size +(\S+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.[1];

describe('a child whose memory holds secrets', () => {
  it.runIf(process.platform === 'linux')('leaves no core dump', async () => {
    const { pid } = await start(true);
    expect(coreLimit(pid)).toBe('0');
  });

  it('opens no debugger on a signal, unlike an unguarded one, and keeps serving', async () => {
    const [guarded, unguarded] = [await start(true), await start(false)];
    for (const { pid } of [guarded, unguarded]) process.kill(pid, 'SIGUSR1');
    await expect
      .poll(() => unguarded.log.tail(), { timeout: 10_000 })
      .toContain('Debugger listening');
    await sleep(DEBUGGER_MS);
    expect(guarded.log.tail()).not.toContain('Debugger');
    expect(() => process.kill(guarded.pid, 0)).not.toThrow();
  });
});
