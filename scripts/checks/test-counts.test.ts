import { describe, expect, it } from 'vitest';
import { countReport, renderCounts } from './test-counts.ts';

const report = (numFailedTests: number, ...files: { status: string; tests: string[] }[]) =>
  JSON.stringify({
    numPassedTests: 3,
    numFailedTests,
    numPendingTests: 1,
    numTodoTests: 1,
    testResults: files.map(({ status, tests }) => ({
      status,
      assertionResults: tests.map((testStatus) => ({ status: testStatus })),
    })),
  });
const passedFile = { status: 'passed', tests: ['passed'] };

describe('the count of failed tests', () => {
  it.each([
    ['a run in which all is well', report(0, passedFile), true, 0],
    ['failed tests', report(2, { status: 'failed', tests: ['failed', 'failed'] }), false, 2],
    [
      'a file that cannot be loaded',
      report(0, passedFile, { status: 'failed', tests: [] }),
      false,
      1,
    ],
    ['an error outside of every file', report(0, passedFile), false, 1],
    ['a run that died before its report', undefined, false, 1],
  ])('has %s', (_name, text, hasEndedWell, failed) => {
    expect(countReport(text, hasEndedWell).failed).toBe(failed);
  });

  it('is in the last line, with skipped tests if there are any', () => {
    expect(renderCounts({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed');
    expect(renderCounts(countReport(report(0, passedFile), true))).toBe(
      '3 passed, 0 failed, 2 skipped',
    );
  });
});
