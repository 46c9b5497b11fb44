export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/**
 * Counts Vitest's JSON report. A file that fails outside its tests counts as one failed test. So does a run
 * that ends with an error but without a failed test.
 */
export function countReport(text: string | undefined, hasEndedWell: boolean): Counts {
  if (text === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const report = JSON.parse(text) as Report;
  const failed = report.numFailedTests + report.testResults.filter(failsOutsideTests).length;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && !hasEndedWell ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

const failsOutsideTests = ({ status, assertionResults }: Report['testResults'][number]): boolean =>
  status === 'failed' && !assertionResults.some((test) => test.status === 'failed');

export const addCounts = (a: Counts, b: Counts): Counts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

export function renderCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
