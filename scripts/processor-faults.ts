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
    adapter: {
      default: '',
      description: 'name of the only adapter, such as adyen; without it all adapters run',
    },
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
const { adapter, attempts: _, ...plans } = values;
if (adapter) process.env.FLORIN_PROCESSOR_ADAPTER = adapter;
const again = Object.entries({ ...plans, ...(adapter && { adapter }) });
const options = again.map(([name, value]) => `--${name} ${value}`).join(' ');
console.log(`To run the same plans again: npm run test:processors -- ${options}`);

const scenarios = 'packages/server/tests/scenarios';
/** Plans of one adapter leave out the test of several accounts. */
const tests = ['processor-faults', ...(adapter ? [] : ['two-accounts'])];
const files = tests.map((name) => `${scenarios}/${name}.test.ts`);
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=verbose', ...files];
const { code } = await runNode(vitest, true);
process.exit(process.exitCode ?? code ?? 1);
