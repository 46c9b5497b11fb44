import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Durations of the long files in seconds, by path. `npm test -- --record` rewrites the file. */
const DURATIONS = join(import.meta.dirname, 'durations.json');

/** Runs the longest files first, so that none still runs after all others have ended. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = JSON.parse(readFileSync(DURATIONS, 'utf8')) as Record<string, number>;
    const pathOf = ({ moduleId }: TestSpecification) => relative(this.ctx.config.root, moduleId);
    const secondsOf = (file: TestSpecification) => seconds[pathOf(file)] ?? 0;
    return files.toSorted(
      // Short files keep the order of their paths, because files of the same folder share a stack.
      (a, b) => secondsOf(b) - secondsOf(a) || (pathOf(a) < pathOf(b) ? -1 : 1),
    );
  }
}
