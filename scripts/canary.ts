import { randomInt } from 'node:crypto';
import { readOptions } from './options.ts';
import { runNode, stopOnRequest } from './program.ts';
import { ensureChromium } from './setup/chromium.ts';

/** Default number of rounds. The first round covers the cards of each network; the others repeat it. */
const ROUNDS = '10';
const SEED_LIMIT = 2 ** 31;

const values = readOptions({
  command: 'npm run test:canary',
  summary: 'Sends cards along every path, then searches for them everywhere.',
  options: {
    rounds: { default: ROUNDS, description: 'number of rounds' },
    seed: {
      default: () => String(randomInt(SEED_LIMIT)),
      description: 'repeats the cards of an earlier run',
    },
  },
});

/** Runs the card data search of `npm test` with many cards. */
stopOnRequest();
process.env.FLORIN_CANARY_ROUNDS = values.rounds;
process.env.FLORIN_TEST_SEED = values.seed;
console.log(
  `To send the same cards again: npm run test:canary -- --rounds ${values.rounds} --seed ${values.seed}`,
);
await ensureChromium();
const tests = ['e2e/canary.test.ts', 'e2e/support/canary'];
const { code } = await runNode(['node_modules/vitest/vitest.mjs', 'run', ...tests], true);
process.exit(process.exitCode ?? code ?? 1);
