import { join, relative } from 'node:path';
import { ROOT } from '../program.ts';

/** Seconds of long test files by path, which decide the order of a test run. */
export const DURATIONS = join(ROOT, 'packages/dev-env/src/durations.json');
/** Shorter test files may run in any order. */
const LONG_SECONDS = 5;

/** The parts of Vitest's JSON report that are read. */
interface Report {
  readonly testResults: readonly {
    /** Path of the test file. */
    readonly name: string;
    /** Milliseconds since 1970. */
    readonly startTime: number;
    readonly endTime: number;
  }[];
}

/** Seconds of a report's long test files, as JSON: longest first, paths relative to `root`. */
export function renderDurations(text: string, root: string): string {
  const { testResults } = JSON.parse(text) as Report;
  const longFiles = testResults
    .map(({ name, startTime, endTime }) => ({
      path: relative(root, name),
      seconds: Math.round((endTime - startTime) / 1_000),
    }))
    .filter(({ seconds }) => seconds >= LONG_SECONDS)
    .toSorted((a, b) => b.seconds - a.seconds)
    .map(({ path, seconds }) => [path, seconds]);
  return `${JSON.stringify(Object.fromEntries(longFiles), null, 2)}\n`;
}
