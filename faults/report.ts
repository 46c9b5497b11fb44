import type { Report } from './run-seed.ts';

/** Text on one run's result. With differences, includes the command that repeats the run. */
export function renderReport({ seed, differences, seconds }: Report): string {
  if (differences.length === 0) return `seed ${seed}: ok (${seconds.toFixed(1)} s)`;
  return [
    `seed ${seed}: ${differences.length} differences`,
    ...differences.map((difference) => `  ${difference}`),
    `  To run the same plan again: npm run test:faults -- --seed ${seed}`,
  ].join('\n');
}

const NAME_WIDTH = 20;

/** Table of the totals of all runs. */
export function renderTable(reports: readonly Report[]): string {
  const names = Object.keys(reports[0]?.counts ?? {});
  const sumOf = (name: string): number =>
    reports.reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0);
  const pointCount = new Set(reports.flatMap(({ kills }) => kills)).size;
  const failedCount = reports.filter(({ differences }) => differences.length > 0).length;
  return [
    ...names.map((name) => `${name.padEnd(NAME_WIDTH)}${sumOf(name)}`),
    `${'places of kills'.padEnd(NAME_WIDTH)}${pointCount}`,
    `${reports.length} runs, ${failedCount} with differences`,
  ].join('\n');
}
