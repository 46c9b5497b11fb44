import { randomInt } from 'node:crypto';
import { publishPostgresUrl } from '@florin/dev-env/config/env.ts';
import { renderTable } from '../../bench/table.ts';
import { readOptions } from '../../scripts/options.ts';
import { openEnvironment } from '../support/environment.ts';
import { type Round, rehearseRestore } from './round.ts';

const SEEDS = 2 ** 20;

/** Runs the rehearsal with the options of the command line. Resolves with the exit code. */
export async function main(): Promise<number> {
  const values = readOptions({
    command: 'npm run rehearse -- restore',
    summary: 'Restores to a moment with payments after it, learns from the network, and compares.',
    options: {
      runs: { default: '5', description: 'number of restores, with ascending seeds' },
      seed: { default: () => String(randomInt(SEEDS)), description: 'seed of the first run' },
    },
  });
  await using environment = await openEnvironment();
  publishPostgresUrl(environment.postgres.url('postgres'));
  const rounds: Round[] = [];
  for (let run = 0; run < Number(values.runs); run++) {
    const seed = Number(values.seed) + run;
    const round = await rehearseRestore(seed).catch((error: Error) => failedRound(seed, error));
    rounds.push(round);
    for (const difference of round.differences) console.error(`seed ${round.seed}: ${difference}`);
    console.error(`seed ${round.seed}: ${round.differences.length} differences`);
  }
  console.log(renderRounds(rounds));
  return rounds.every(({ differences }) => differences.length === 0) ? 0 : 1;
}

/** A run that did not end is a difference, too. */
const failedRound = (seed: number, { message }: Error): Round => ({
  seed,
  counts: NOTHING,
  recovered: 0,
  payments: 0,
  renewals: 0,
  differences: [message],
});

const NOTHING: Round['counts'] = {
  asked: 0,
  recovered: 0,
  created: 0,
  declined: 0,
  follow_ups: 0,
  ended: 0,
  held: 0,
};

const HEADERS = [
  'seed',
  'payments',
  'of subscriptions',
  'recovered',
  'created',
  'declined',
  'refunds and captures',
  'released',
  'held',
  'differences',
];

const renderRounds = (rounds: readonly Round[]): string =>
  renderTable(HEADERS, [...rounds.map(cellsOf), sumOf(rounds.map(cellsOf))]);

function cellsOf(round: Round): string[] {
  const { seed, counts, recovered, payments, renewals, differences } = round;
  const { created, declined, follow_ups, ended, held } = counts;
  const figures = [payments, renewals, recovered, created, declined, follow_ups, ended, held];
  return [seed, ...figures, differences.length].map(String);
}

const sumOf = (lines: readonly string[][]): string[] =>
  HEADERS.map((_, at) =>
    at === 0 ? 'sum' : String(lines.reduce((sum, line) => sum + Number(line[at]), 0)),
  );
