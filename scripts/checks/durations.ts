import { join, relative } from 'node:path';
import { ROOT } from '../program.ts';

/** Seconds of long test files by their paths, from which the order of a run is made. */
export const DURATIONS = join(ROOT, 'packages/dev-env/src/durations.json');
/** Files shorter than this may run in any order. */
const LONG_SECONDS = 5;

/** A part of Vitest's JSON report. */
interface Report {
  readonly testResults: readonly {
    /** The path of the file. */
    readonly name: string;
    /** Milliseconds since 1970. */
    readonly startTime: number;
    readonly endTime: number;
  }[];
}

/** The seconds of the long files of a report, as JSON with the longest first and paths below `root`. */
export function renderDurations(text: string, root: string): string {
  const { testResults } = JSON.parse(text) as Report;
  const long = testResults
    .map(({ name, startTime, endTime }) => ({
      path: relative(root, name),
      seconds: Math.round((endTime - startTime) / 1_000),
    }))
    .filter(({ seconds }) => seconds >= LONG_SECONDS)
    .toSorted((a, b) => b.seconds - a.seconds)
    .map(({ path, seconds }) => [path, seconds]);
  return `${JSON.stringify(Object.fromEntries(long), null, 2)}\n`;
}
