import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Seconds of the long files by their paths; `npm test -- --record` writes it anew. */
const DURATIONS = join(import.meta.dirname, 'durations.json');

/** The longest files first, so that none is still running after all others have ended. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = JSON.parse(readFileSync(DURATIONS, 'utf8')) as Record<string, number>;
    const pathOf = ({ moduleId }: TestSpecification) => relative(this.ctx.config.root, moduleId);
    const secondsOf = (file: TestSpecification) => seconds[pathOf(file)] ?? 0;
    return files.toSorted(
      // Short files keep the order of their paths, because neighbours share a stack.
      (a, b) => secondsOf(b) - secondsOf(a) || (pathOf(a) < pathOf(b) ? -1 : 1),
    );
  }
}
