import { randomInt } from 'node:crypto';
import { readOptions } from './options.ts';
import { runNode, stopOnRequest } from './program.ts';

/** Default number of deliveries. */
const DELIVERIES = '10000';
const SEED_LIMIT = 2 ** 31;

const values = readOptions({
  command: 'npm run test:webhooks',
  summary: 'Kills the server while webhooks are in flight, and checks that all of them arrive.',
  options: {
    deliveries: { default: DELIVERIES, description: 'number of deliveries' },
    seed: {
      default: String(randomInt(SEED_LIMIT)),
      description: 'repeats the receiver of an earlier run',
    },
  },
});

/** Runs the delivery test of `npm test` with many deliveries. */
stopOnRequest();
process.env.FLORIN_WEBHOOK_DELIVERIES = values.deliveries;
process.env.FLORIN_TEST_SEED = values.seed;
console.log(
  `To run it again: npm run test:webhooks -- --deliveries ${values.deliveries} --seed ${values.seed}`,
);
const test = 'packages/server/tests/webhooks/kill.test.ts';
const { code } = await runNode(['node_modules/vitest/vitest.mjs', 'run', test], true);
process.exit(process.exitCode ?? code ?? 1);
