import { randomInt } from 'node:crypto';
import { readOptions } from './options.ts';
import { runNode, stopOnRequest } from './program.ts';

const RUNS = '100';
const OPEN_ATTEMPTS = '1000';
const SEED_LIMIT = 2 ** 31;

const values = readOptions({
  command: 'npm run test:processors',
  summary:
    'Runs payments through the stand-ins of processors with planned faults of requests and notifications, and compares the books.',
  options: {
    attempts: {
      default: OPEN_ATTEMPTS,
      description: 'number of attempts that are open while payments move to another account',
    },
    runs: { default: RUNS, description: 'number of plans, starting with the seed' },
    seed: {
      default: () => String(randomInt(SEED_LIMIT)),
      description: 'repeats the plans of an earlier run',
    },
  },
});

stopOnRequest();
process.env.FLORIN_PROCESSOR_RUNS = values.runs;
process.env.FLORIN_OPEN_ATTEMPTS = values.attempts;
process.env.FLORIN_TEST_SEED = values.seed;
console.log(
  `To run the same plans again: npm run test:processors -- --runs ${values.runs} --seed ${values.seed}`,
);
const scenarios = 'packages/server/tests/scenarios';
const tests = [`${scenarios}/checkout-com-faults.test.ts`, `${scenarios}/two-accounts.test.ts`];
const { code } = await runNode(['node_modules/vitest/vitest.mjs', 'run', ...tests], true);
process.exit(process.exitCode ?? code ?? 1);
