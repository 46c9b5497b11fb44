import { randomInt } from 'node:crypto';
import { readOptions } from './options.ts';
import { runNode, stopOnRequest } from './program.ts';

/** Default number of requests of a long run. */
const REQUESTS = '50000';
const SEED_LIMIT = 2 ** 31;

const values = readOptions({
  command: 'npm run test:fuzz',
  summary:
    'Sends valid and invalid requests of every kind, many concurrently, and checks each response.',
  options: {
    requests: { default: REQUESTS, description: 'number of requests' },
    seed: {
      default: () => String(randomInt(SEED_LIMIT)),
      description: 'repeats the requests of an earlier run',
    },
  },
});

/** Number of requests that a test sends concurrently to two servers. */
const CONCURRENT = '100';
/** Number of random subscriptions, each billed for some weeks. */
const SUBSCRIPTIONS = '20';

/** Runs the fuzz, concurrency and billing tests of `npm test` with many requests and subscriptions. */
stopOnRequest();
process.env.FLORIN_FUZZ_REQUESTS = values.requests;
process.env.FLORIN_TEST_SEED = values.seed;
process.env.FLORIN_CONCURRENT_REQUESTS = CONCURRENT;
process.env.FLORIN_FUZZ_SUBSCRIPTIONS = SUBSCRIPTIONS;
console.log(
  `To send the same requests again: npm run test:fuzz -- --requests ${values.requests} --seed ${values.seed}`,
);
const names = ['jsonapi-spec/fuzz', 'scenarios/hundred-concurrent', 'scenarios/billing-property'];
const tests = names.map((name) => `packages/server/tests/${name}.test.ts`);
const { code } = await runNode(['node_modules/vitest/vitest.mjs', 'run', ...tests], true);
process.exit(process.exitCode ?? code ?? 1);
