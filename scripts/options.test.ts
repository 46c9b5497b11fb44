import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const FAULTS = join(import.meta.dirname, '..', 'faults', 'main.ts');

const run = (option: string) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [FAULTS, option], {
    encoding: 'utf8',
  });
  return { status, stdout: stdout.split('\n'), stderr: stderr.split('\n') };
};

describe('a program of this repository', () => {
  it('prints its usage', () => {
    const { status, stdout, stderr } = run('--help');
    expect([status, stderr]).toEqual([0, ['']]);
    expect(stdout[0]).toBe('Usage: npm run test:faults -- [options]');
    const options = stdout.flatMap((line) => /^ {2}--([a-z]+)/.exec(line)?.[1] ?? []);
    expect(options).toEqual(['seed', 'runs', 'scenarios']);
  });

  it('names an unknown option, and prints its usage', () => {
    const { status, stdout, stderr } = run('--sede=1');
    expect([status, stdout]).toEqual([2, ['']]);
    expect(stderr.slice(0, 3)).toEqual([
      "Unknown option '--sede'",
      '',
      'Usage: npm run test:faults -- [options]',
    ]);
  });
});
