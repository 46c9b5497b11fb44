import { randomInt } from 'node:crypto';
import { readOptions } from './options.ts';
import { runNode, stopOnRequest } from './program.ts';

/** Default number of requests of a long run. */
const REQUESTS = '50000';
const SEED_LIMIT = 2 ** 31;

const values = readOptions({
  command: 'npm run test:fuzz',
  does: 'Sends requests of every shape, good and bad, and many at once, and checks each answer.',
  options: {
    requests: { default: REQUESTS, says: 'how many' },
    seed: { default: () => String(randomInt(SEED_LIMIT)), says: 'the same ones again' },
  },
});

/** Requests of a test that sends them at once to two servers. */
const CONCURRENT = '100';

/** Runs the fuzz test and the concurrency test of `npm test` with many requests. */
stopOnRequest();
process.env.FLORIN_FUZZ_REQUESTS = values.requests;
process.env.FLORIN_TEST_SEED = values.seed;
process.env.FLORIN_CONCURRENT_REQUESTS = CONCURRENT;
console.log(
  `To send the same requests again: npm run test:fuzz -- --requests ${values.requests} --seed ${values.seed}`,
);
const tests = ['jsonapi-spec/fuzz', 'scenarios/hundred-concurrent'].map(
  (name) => `packages/server/tests/${name}.test.ts`,
);
const { code } = await runNode(['node_modules/vitest/vitest.mjs', 'run', ...tests], true);
process.exit(process.exitCode ?? code ?? 1);
