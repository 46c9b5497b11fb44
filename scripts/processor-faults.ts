import { randomInt } from 'node:crypto';
import { readOptions } from './options.ts';
import { runNode, stopOnRequest } from './program.ts';

const RUNS = '100';
const SEED_LIMIT = 2 ** 31;

const values = readOptions({
  command: 'npm run test:processors',
  summary:
    'Runs payments through the stand-ins of processors with planned faults of requests and notifications, and compares the books.',
  options: {
    runs: { default: RUNS, description: 'number of plans, starting with the seed' },
    seed: {
      default: () => String(randomInt(SEED_LIMIT)),
      description: 'repeats the plans of an earlier run',
    },
  },
});

stopOnRequest();
process.env.FLORIN_PROCESSOR_RUNS = values.runs;
process.env.FLORIN_TEST_SEED = values.seed;
console.log(
  `To run the same plans again: npm run test:processors -- --runs ${values.runs} --seed ${values.seed}`,
);
const tests = ['packages/server/tests/scenarios/checkout-com-faults.test.ts'];
const { code } = await runNode(['node_modules/vitest/vitest.mjs', 'run', ...tests], true);
process.exit(process.exitCode ?? code ?? 1);
