import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Cases that a card form must handle in a real browser, by number. */
const cases: Readonly<Record<number, string>> = {
  1: 'shortest and longest numbers, events in order, one that ends it',
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
const ROOT = join(import.meta.dirname, '..');
const FILES = ['e2e/*.test.ts', 'packages/*/{src,tests}/**/*.test.ts'];
/** These tests begin with the numbers of another list, the demands of JSON:API. */
const JSONAPI_TESTS = 'packages/server/tests/jsonapi-spec/**';
/** The case number at the start of a test's name. */
const CASE_NUMBER = /(?<=['"`])#(\d+) /g;

it('every case of the form has a test', () => {
  const testCounts = new Map<number, number>();
  for (const file of globSync(FILES, { cwd: ROOT, exclude: [JSONAPI_TESTS] })) {
    for (const [, number] of readFileSync(join(ROOT, file), 'utf8').matchAll(CASE_NUMBER))
      testCounts.set(Number(number), (testCounts.get(Number(number)) ?? 0) + 1);
  }
  const numbers = Object.keys(cases).map(Number);
  const missing = numbers.filter((number) => !testCounts.has(number));
  const lines = numbers.map(
    (number) => `  #${number} ${cases[number]}: ${testCounts.get(number) ?? 0}`,
  );
  console.log(
    [`browser cases: ${numbers.length - missing.length} of ${numbers.length}`, ...lines].join('\n'),
  );
  expect(missing).toEqual([]);
});
