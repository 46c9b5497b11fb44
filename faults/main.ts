import { randomInt } from 'node:crypto';
import { readOptions, wholeNumber } from '../scripts/options.ts';
import { SCENARIO_COUNT } from './plan.ts';
import { renderReport, renderTable } from './report.ts';
import { closeEnvironments, runSeeds } from './run-seeds.ts';

const SEED_LIMIT = 2 ** 31;
const RUNS_MAX = 10_000;

const { seed, runs, scenarios } = readOptions({
  command: 'npm run test:faults',
  summary:
    'Runs Florin with planned failures of network, database and receivers, and compares all ledgers afterwards.',
  options: {
    seed: {
      default: () => String(randomInt(SEED_LIMIT)),
      description: 'seed of the plan',
      parse: wholeNumber(0, SEED_LIMIT - 1),
    },
    runs: {
      default: '1',
      description: 'number of plans, starting with this seed',
      parse: wholeNumber(1, RUNS_MAX),
    },
    scenarios: {
      default: String(SCENARIO_COUNT),
      description: 'number of scenarios to run of each plan',
      parse: wholeNumber(0, SCENARIO_COUNT),
    },
  },
});

async function main(): Promise<number> {
  const seeds = Array.from({ length: runs }, (_, at) => seed + at);
  const reports = await runSeeds(seeds, (report) => console.log(renderReport(report)), scenarios);
  console.log(renderTable(reports));
  return reports.every(({ differences }) => differences.length === 0) ? 0 : 1;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => closeEnvironments().finally(() => process.exit(130)));
}
process.exit(
  await main().catch(async ({ message }: Error) => {
    console.error(message);
    await closeEnvironments();
    return 1;
  }),
);
