import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_SEED } from '@florin/dev-env/default-seed.ts';
import { runChecks, sourceChecks } from './checks.ts';
import { ensureChromium } from './chromium.ts';
import { runNode, stopOnRequest } from './program.ts';
import { ensureSoftHsm } from './soft-hsm.ts';
import { addCounts, type Counts, countReport, renderCounts } from './test-counts.ts';

/** Runs the checks, unless only some tests are asked for, and the tests. */
async function main(args: readonly string[]): Promise<Counts> {
  process.env.FLORIN_TEST_SEED ??= String(DEFAULT_SEED);
  console.log(`Seed of the property tests: FLORIN_TEST_SEED=${process.env.FLORIN_TEST_SEED}`);
  const checked = args.length === 0 ? await runChecks(sourceChecks()) : { passed: 0, failed: 0 };
  await ensureChromium();
  ensureSoftHsm();
  return addCounts({ ...checked, skipped: 0 }, await runTests(args));
}

async function runTests(args: readonly string[]): Promise<Counts> {
  const directory = mkdtempSync(join(tmpdir(), 'florin-test-'));
  const report = join(directory, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  try {
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args];
    const { code } = await runNode(vitest, true);
    return countReport(readReport(report), code === 0);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function readReport(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

stopOnRequest();
const counts = await main(process.argv.slice(2)).catch((error: Error): Counts => {
  console.error(error.message);
  return { passed: 0, failed: 1, skipped: 0 };
});
console.log(renderCounts(counts));
process.exit(process.exitCode ?? (counts.failed > 0 ? 1 : 0));
