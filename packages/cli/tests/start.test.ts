import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProcesses } from '@florin/dev-env/start-processes.ts';
import { describe, expect, it } from 'vitest';
import { waitUntil } from '../src/kernel/poll.ts';
import { identityOf } from '../src/kernel/process-identity.ts';
import { runToEnd } from './support.ts';

const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');
const RUN = join(import.meta.dirname, '..', '..', '..', 'scripts', 'run.mjs');
const EXIT_LIMIT_MS = 15_000;

const childPids = (dataDir: string): number[] =>
  JSON.parse(readFileSync(join(dataDir, 'children.json'), 'utf8')).map(
    ({ pid }: { pid: number }) => pid,
  );

describe('florin start', () => {
  it('leaves nothing behind when killed, and starts again with the same keys', async () => {
    await using first = await startProcesses();
    const { dataDir, port } = first;
    const children = childPids(dataDir);
    expect(children).toHaveLength(3);
    await first.kill();
    await using second = await startProcesses({ dataDir, port });
    expect(second.credentials.sandbox).toEqual(first.credentials.sandbox);
    expect(children.map(identityOf)).toEqual([undefined, undefined, undefined]);
    expect(second.output()).toContain('Attached to the running PostgreSQL');

    const again = await runToEnd([MAIN, 'start'], { FLORIN_DATA: dataDir, PORT: '0' });
    expect(again).toEqual({
      code: 1,
      output: expect.stringMatching(/^Another Florin \(process \d+\)/),
    });

    const last = childPids(dataDir);
    expect(await second.stop()).toBe(0);
    expect(second.output()).toMatch(/Stopped\.\n$/);
    expect(await waitUntil(() => last.every((pid) => !identityOf(pid)), EXIT_LIMIT_MS)).toBe(true);
  });

  it.each([
    ['stop', 2, /^Usage: npm start\n {7}npm run florin -- listen [\s\S]*florin -- ledger verify/],
    ['start', 1, /^PORT must be a whole number/],
  ])('%s with nonsense ends with %i and a sentence', async (command, code, output) => {
    expect(await runToEnd([MAIN, command], { PORT: 'x' })).toEqual({
      code,
      output: expect.stringMatching(output),
    });
  });

  it('is not the only command of npm: operators have theirs', async () => {
    const { code, output } = await runToEnd([RUN, 'florin', 'vault', 'rotate'], {});
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^Usage:\n {7}npm run florin -- vault rotate/),
    ]);
  });
});
