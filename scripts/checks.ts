import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commentFindings, countsOf, overBudget, readBudget } from './comments.ts';
import { DIRECTORIES, findingsIn } from './migrations.ts';
import { type Outcome, ROOT, runNode } from './program.ts';

export interface Check {
  readonly name: string;
  run(): Promise<Outcome>;
}

const module = (...path: string[]): string => join(ROOT, 'node_modules', ...path);

const typeCheck = (config: string): Check => ({
  name: `types of ${dirname(config)}`,
  run: () => runNode([module('typescript', 'bin', 'tsc'), '-p', config], false),
});

const lint: Check = {
  name: 'lint and format',
  run: () =>
    runNode([module('@biomejs', 'biome', 'bin', 'biome'), 'ci', '--max-diagnostics=50'], false),
};

/** Type checks of every package, and the linter. */
export function sourceChecks(): Check[] {
  const configs = globSync('{packages/*,e2e,scripts,bench,faults}/tsconfig.json', {
    cwd: ROOT,
  }).sort();
  return [...configs.map(typeCheck), lint];
}

export const unusedCheck: Check = {
  name: 'unused files, exports and dependencies',
  run: () => runNode([module('knip', 'bin', 'knip.js')], false),
};

export const migrationCheck: Check = {
  name: 'migrations as they were recorded',
  async run() {
    const findings = (await Promise.all(DIRECTORIES.map(findingsIn))).flat();
    return { code: findings.length > 0 ? 1 : 0, output: findings.join('\n') };
  },
};

export const commentCheck: Check = {
  name: 'words of comments',
  async run() {
    const budget = readBudget();
    const over = overBudget(countsOf(commentFindings(), budget), budget);
    return { code: over.length > 0 ? 1 : 0, output: over.join('\n') };
  },
};

/** Runs checks one after another, with a line for each and the output of failures. */
export async function runChecks(
  checks: readonly Check[],
): Promise<{ passed: number; failed: number }> {
  let failed = 0;
  for (const check of checks) {
    const { code, output } = await check.run();
    console.log(`${code === 0 ? '✓' : '✗'} ${check.name}`);
    if (code === 0) continue;
    failed += 1;
    console.log(output.trimEnd());
  }
  return { passed: checks.length - failed, failed };
}
