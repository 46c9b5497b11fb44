import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files whose tests take half a minute and more, mostly by waiting. Their size would sort them last. */
const LONG = [
  'packages/server/tests/scenarios/faults.test.ts',
  'e2e/threeds.test.ts',
  'e2e/canary.test.ts',
  'packages/server/tests/scenarios/refund-locked.test.ts',
  'packages/server/tests/scenarios/refund-crash.test.ts',
  'packages/server/tests/scenarios/crash.test.ts',
  'packages/server/tests/schema/plain-type.test.ts',
  'packages/cli/tests/postgres.test.ts',
  'e2e/isolated.test.ts',
  'e2e/embedded.test.ts',
];

/** Vitest's own order, by known duration or size, with these files first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONG.indexOf(relative(this.ctx.config.root, moduleId));
      return at < 0 ? LONG.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
