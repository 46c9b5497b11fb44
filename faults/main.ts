import { randomInt } from 'node:crypto';
import { readOptions } from '../scripts/options.ts';
import { SCENARIOS } from './plan.ts';
import { renderReport, renderTable } from './report.ts';
import { closeEnvironments, runSeeds } from './run-seeds.ts';

const SEED_LIMIT = 2 ** 31;
const RUNS_MAX = 10_000;

const values = readOptions({
  command: 'npm run test:faults',
  does: 'Runs Florin with planned failures of network, database and receivers, and compares all ledgers afterwards.',
  options: {
    seed: { default: () => String(randomInt(SEED_LIMIT)), says: 'the plan that is run' },
    runs: { default: '1', says: 'number of plans, from this seed on' },
    scenarios: {
      default: String(SCENARIOS),
      says: 'number of scenarios of each plan that are run',
    },
  },
});

function wholeNumber(name: 'seed' | 'runs' | 'scenarios', below: number): number {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number >= 0 && number < below) return number;
  throw new Error(`--${name} must be a whole number below ${below}.`);
}

async function main(): Promise<number> {
  const first = wholeNumber('seed', SEED_LIMIT);
  const seeds = Array.from({ length: wholeNumber('runs', RUNS_MAX) }, (_, at) => first + at);
  const scenarios = wholeNumber('scenarios', SCENARIOS + 1);
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
