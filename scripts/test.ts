import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_SEED } from '@florin/dev-env/default-seed.ts';
import { runChecks, sourceChecks } from './checks/checks.ts';
import { DURATIONS, renderDurations } from './checks/durations.ts';
import { addCounts, type Counts, countReport, renderCounts } from './checks/test-counts.ts';
import { ROOT, runNode, stopOnRequest } from './program.ts';
import { ensureChromium } from './setup/chromium.ts';
import { ensureSampleLanguages } from './setup/sample-languages.ts';
import { ensureSoftHsm } from './setup/soft-hsm.ts';

/** Option that records how long the test files of a complete run took. */
const RECORD = '--record';
/** Quick tests: those without a server, the architecture rules, and one journey in a browser. */
const QUICK = ['/src/', 'server/tests/house.test.ts', 'e2e/shop.test.ts'];

/** Checks the sources, unless the arguments select tests, and runs the tests. */
async function main(args: readonly string[]): Promise<Counts> {
  process.env.FLORIN_TEST_SEED ??= String(DEFAULT_SEED);
  console.log(`Seed of the property tests: FLORIN_TEST_SEED=${process.env.FLORIN_TEST_SEED}`);
  const isQuick = args[0] === '--quick';
  const isPart = args.length > 0 && !isQuick && args[0] !== RECORD;
  const checkCounts = isPart ? { passed: 0, failed: 0 } : await runChecks(sourceChecks());
  await ensureChromium();
  if (!isQuick) {
    ensureSoftHsm();
    ensureSampleLanguages();
  }
  const tests = isQuick ? [...QUICK, ...args.slice(1)] : args;
  return addCounts({ ...checkCounts, skipped: 0 }, await runTests(tests));
}

async function runTests(args: readonly string[]): Promise<Counts> {
  const directory = mkdtempSync(join(tmpdir(), 'florin-test-'));
  const report = join(directory, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  try {
    const filters = args.filter((argument) => argument !== RECORD);
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...filters];
    const { code } = await runNode(vitest, true);
    const text = readReport(report);
    if (text && args.includes(RECORD)) writeFileSync(DURATIONS, renderDurations(text, ROOT));
    return countReport(text, code === 0);
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
// Vitest ignores filters after "--", and would run everything.
const args = process.argv.slice(2).filter((argument) => argument !== '--');
const counts = await main(args).catch((error: Error): Counts => {
  console.error(error.message);
  return { passed: 0, failed: 1, skipped: 0 };
});
console.log(renderCounts(counts));
process.exit(process.exitCode ?? (counts.failed > 0 ? 1 : 0));
