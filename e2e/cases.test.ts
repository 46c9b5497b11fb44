import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** The cases that a card form in a real browser has to stand, by number. */
const cases: Readonly<Record<number, string>> = {
  1: 'every network, events in order, one that ends it',
  2: 'no card number or code in page, requests, logs, database',
  3: 'scripts in the shop that replace what scripts use',
  4: 'forged messages',
  5: 'framing by others, and of the shop by others',
  6: 'clickjacking',
  7: 'double click, double call, two tabs',
  8: 'timeout and late answer',
  9: 'offline before and after sending',
  10: 'slow network, no jump',
  11: 'back/forward cache',
  12: 'destroyed while verifying, 200 mounts',
  13: 'mounted twice, two clients, bare Node',
  14: 'the bank’s look at the browser',
  15: 'challenges',
  16: 'a hostile bank page',
  17: 'banks that cannot be framed, isolated shops',
  18: 'strictest policies',
  19: 'altered scripts',
  20: 'sealed cards that are not right',
  21: 'the code leaves no trace',
  22: 'raw cards are refused',
  23: 'rotation under load',
  24: 'accessibility and languages',
  25: 'typing, pasting, input methods',
};
/** Those of the SDK and the form itself; the others are of 3-D Secure and the vault, and tested there. */
const OWN = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 18, 19, 24, 25];

const ROOT = join(import.meta.dirname, '..');
/** The number with which the name of a test begins. */
const CASE = /(?<=['"`])#(\d+) /g;

it('every case of the form is a test', () => {
  const files = globSync(
    ['e2e/*.test.ts', 'packages/{browser-sdk,hosted-fields}/src/**/*.test.ts'],
    { cwd: ROOT },
  );
  const found = new Map<number, number>();
  for (const file of files) {
    for (const [, number] of readFileSync(join(ROOT, file), 'utf8').matchAll(CASE))
      found.set(Number(number), (found.get(Number(number)) ?? 0) + 1);
  }
  const lines = Object.entries(cases).map(([number, name]) => {
    const tests = found.get(Number(number)) ?? 0;
    return `  #${number} ${name}: ${tests ? `${tests} tests` : 'not here'}`;
  });
  console.log([`browser cases: ${found.size} of 25`, ...lines].join('\n'));
  expect(OWN.filter((number) => !found.has(number))).toEqual([]);
});
