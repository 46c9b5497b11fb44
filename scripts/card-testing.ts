import { readOptions } from './options.ts';
import { runNode, stopOnRequest } from './program.ts';

const values = readOptions({
  command: 'npm run test:card-testing',
  summary: 'Tries stolen cards at a payment link, and counts the answers that a thief gets.',
  options: {
    cards: { default: '10000', description: 'number of cards, each tried once' },
    addresses: { default: '500', description: 'number of addresses, each in a network of its own' },
    hours: { default: '1', description: 'duration of the attack, by the clock of the server' },
  },
});

stopOnRequest();
process.env.FLORIN_ATTACK_CARDS = values.cards;
process.env.FLORIN_ATTACK_ADDRESSES = values.addresses;
process.env.FLORIN_ATTACK_HOURS = values.hours;
const file = 'packages/server/tests/security/card-testing.test.ts';
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=verbose', file];
const { code } = await runNode(vitest, true);
process.exit(process.exitCode ?? code ?? 1);
