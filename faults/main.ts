import { randomInt } from 'node:crypto';
import { readOptions } from '../scripts/options.ts';
import { SCENARIO_COUNT } from './plan.ts';
import { renderReport, renderTable } from './report.ts';
import { closeEnvironments, runSeeds } from './run-seeds.ts';

const SEED_LIMIT = 2 ** 31;
const RUNS_MAX = 10_000;

const values = readOptions({
  command: 'npm run test:faults',
  summary:
    'Runs Florin with planned failures of network, database and receivers, and compares all ledgers afterwards.',
  options: {
    seed: { default: () => String(randomInt(SEED_LIMIT)), description: 'seed of the plan' },
    runs: { default: '1', description: 'number of plans, starting with this seed' },
    scenarios: {
      default: String(SCENARIO_COUNT),
      description: 'number of scenarios to run of each plan',
    },
  },
});

function wholeNumber(name: 'seed' | 'runs' | 'scenarios', limit: number): number {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number >= 0 && number < limit) return number;
  throw new Error(`--${name} must be a whole number below ${limit}.`);
}

async function main(): Promise<number> {
  const firstSeed = wholeNumber('seed', SEED_LIMIT);
  const seeds = Array.from({ length: wholeNumber('runs', RUNS_MAX) }, (_, at) => firstSeed + at);
  const scenarios = wholeNumber('scenarios', SCENARIO_COUNT + 1);
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
