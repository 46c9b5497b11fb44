// Entry of every npm script: installs dependencies, finds Node, builds browser bundles, and runs the verb's
// program. Plain JavaScript, so that an outdated Node can run it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDocsBuild } from './setup/docs.mjs';
import { findNode } from './setup/find-node.mjs';
import { ensureInstalled } from './setup/install.mjs';
import { runProgram } from './setup/run-program.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

/** @type {Record<string, { program: string[], bundles?: boolean, docs?: boolean }>} */
const VERBS = {
  start: { program: ['packages/cli/src/main.ts', 'start'], bundles: true, docs: true },
  test: { program: ['scripts/test.ts'], bundles: true },
  'test-quick': { program: ['scripts/test.ts', '--quick'], bundles: true },
  'test-fuzz': { program: ['scripts/fuzz.ts'], bundles: true },
  'test-faults': { program: ['faults/main.ts'], bundles: true },
  'test-processors': { program: ['scripts/processor-faults.ts'], bundles: true },
  'test-card-testing': { program: ['scripts/card-testing.ts'], bundles: true },
  'test-canary': { program: ['scripts/canary.ts'], bundles: true },
  'test-webhooks': { program: ['scripts/webhooks.ts'], bundles: true },
  rehearse: { program: ['rehearsals/main.ts'], bundles: true },
  check: { program: ['scripts/check.ts'], bundles: true },
  comments: { program: ['scripts/checks/comments.ts'] },
  prose: { program: ['scripts/checks/prose/prose.ts'] },
  fix: { program: ['node_modules/@biomejs/biome/bin/biome', 'check', '--write'] },
  build: { program: ['scripts/build.ts'] },
  'db-diff': { program: ['scripts/db-diff.ts'] },
  'db-record': { program: ['scripts/db-record.ts'] },
  bench: { program: ['bench/main.ts'], bundles: true },
  'bench-growth': { program: ['bench/growth/main.ts'], bundles: true },
  'bench-soak': { program: ['bench/soak/main.ts'], bundles: true },
  'bench-peers': { program: ['bench/peers/main.ts'], bundles: true },
  'bench-cells': { program: ['bench/cells/main.ts'], bundles: true },
  'bench-dashboard': { program: ['bench/dashboard/main.ts'], bundles: true },
  'bench-slowest': { program: ['bench/slowest/main.ts'], bundles: true },
  profile: { program: ['bench/profile/main.ts'], bundles: true },
  openapi: { program: ['scripts/openapi.ts'] },
  docs: { program: ['docs/src/build.ts'] },
  shots: { program: ['scripts/shots.ts'], bundles: true },
  release: { program: ['scripts/release/main.ts'] },
  florin: { program: ['packages/cli/src/main.ts'] },
  'example-webhooks': { program: ['examples/webhooks/src/main.ts'] },
};

/** @param {string | undefined} verb @param {string[]} args */
async function main(verb, args) {
  // In a checkout, "florin start" builds what it serves. A release has built files.
  if (verb === 'florin' && args[0] === 'start' && existsSync(join(ROOT, 'scripts', 'build.ts')))
    return main('start', args.slice(1));
  const verbSpec = VERBS[verb ?? ''];
  if (!verbSpec) throw new Error(`Usage: node scripts/run.mjs ${Object.keys(VERBS).join('|')}`);
  await ensureInstalled(ROOT);
  const node = findNode(ROOT);
  process.env.PATH = `${dirname(node)}:${process.env.PATH}`;
  // Node keeps compiled modules here: a server's modules then load in a third of the time.
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules', '.cache', 'compiled');
  if (verbSpec.bundles) buildIfStale(node);
  if (verbSpec.docs) startDocsBuild(node, ROOT);
  const [script = '', ...fixedArgs] = verbSpec.program;
  if (!existsSync(join(ROOT, script))) throw new Error(`${script} is missing from this checkout.`);
  return runProgram(node, [join(ROOT, script), ...fixedArgs, ...args], ROOT);
}

/** @param {string} node */
function buildIfStale(node) {
  const args = [join(ROOT, 'scripts', 'build.ts'), '--if-stale'];
  const { status } = spawnSync(node, args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error('The browser bundles could not be built; the reason is above.');
}

try {
  const [verb, ...args] = process.argv.slice(2);
  process.exitCode = await main(verb, args);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
