import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { wholeNumber } from './options.ts';

const ROOT = join(import.meta.dirname, '..');
const FAULTS = join(ROOT, 'faults', 'main.ts');
const BENCH = join(ROOT, 'bench', 'main.ts');

const run = (option: string, program = FAULTS) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, option], {
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

describe('a whole number', () => {
  const parse = wholeNumber(1, 3_600);

  it('is accepted within its range', () => {
    expect(['1', '3600'].map((text) => parse(text, '--seconds'))).toEqual([1, 3_600]);
  });

  it.each(['0', '3601', '1e9', '-1', '1.5', 'x', ''])('is not "%s"', (text) => {
    expect(() => parse(text, '--seconds')).toThrow(
      `--seconds must be a whole number from 1 to 3,600; it is "${text}".`,
    );
  });
});

describe('an option that is refused', () => {
  it.each([
    ['--rounds=0', '--rounds must be a whole number from 1 to 1,000; it is "0".'],
    ['--only=xyz', 'No row has "xyz" in its name.'],
  ])('%s ends the program with 2 before it starts', (option, message) => {
    const { status, stdout, stderr } = run(option, BENCH);
    expect([status, stdout]).toEqual([2, ['']]);
    expect(stderr[0]).toContain(message);
  });

  it('keeps the advice of Node about a value that looks like an option', () => {
    const args = ['--rounds', '-1'];
    const { stderr } = spawnSync(process.execPath, [BENCH, ...args], { encoding: 'utf8' });
    expect(stderr).toContain('is ambiguous');
    expect(stderr).toContain("use '--rounds=-XYZ'");
  });
});
