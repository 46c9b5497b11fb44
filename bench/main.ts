import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { readOptions } from '../scripts/options.ts';
import { ensureChromium } from '../scripts/setup/chromium.ts';
import { createResults, type Figures, type Results } from './results.ts';
import type { Row } from './row.ts';
import { rows } from './rows.ts';
import { createTestbed, type Testbed } from './testbed.ts';

const options = readOptions({
  command: 'npm run bench',
  summary: 'Measures this machine and writes each result to bench/results.json.',
  options: {
    seconds: { default: '5', description: 'seconds to measure each row in a round' },
    rounds: { default: '3', description: 'number of measurements of each row' },
    only: { default: '', description: 'only rows whose name contains this text' },
  },
});
const SECONDS = Number(options.seconds);
const ROUNDS = Number(options.rounds);
const WARM_UP_SECONDS = 1;

async function main(): Promise<void> {
  const chosenRows = rows.filter(
    ({ name, baseline }) =>
      !options.only || name.includes(options.only) || isReference(name, baseline),
  );
  if (chosenRows.some(({ browser }) => browser)) await ensureChromium();
  await using testbed = await createTestbed();
  const machine = await machineOf(testbed);
  console.log(
    `${machine}\n${ROUNDS} rounds of ${SECONDS} s a row, medians; ratios hold within one run only.\n`,
  );
  const results = createResults(
    join(import.meta.dirname, 'results.json'),
    { machine, seconds: SECONDS, rounds: ROUNDS },
    chosenRows.map(({ name }) => name),
  );
  try {
    await measureAll(testbed, chosenRows, results);
  } finally {
    process.stderr.write('\r\x1b[K');
    console.log(tableOf(chosenRows, results.figures));
  }
  const memory = testbed.memory();
  results.finish(memory);
  console.log(
    `\nResident memory after the run, MB: ${JSON.stringify(memory)} (first target 400 a process, goal 250)`,
  );
}

/** Whether a selected benchmark is compared with this one, which must then run too. */
const isReference = (name: string, baseline?: string): boolean =>
  baseline === undefined &&
  rows.some((row) => row.baseline === name && row.name.includes(options.only ?? ''));

async function measureAll(
  testbed: Testbed,
  chosenRows: readonly Row[],
  results: Results,
): Promise<void> {
  for (let round = 0; round <= ROUNDS; round++) {
    const seconds = round === 0 ? WARM_UP_SECONDS : SECONDS;
    for (const { name, measure } of chosenRows) {
      process.stderr.write(
        `\r\x1b[K${round === 0 ? 'warm-up' : `round ${round} of ${ROUNDS}`}: ${name}`,
      );
      const figure = await measure(testbed, seconds);
      if (round > 0) results.add(name, figure);
    }
  }
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

function tableOf(chosenRows: readonly Row[], figures: Figures): string {
  const headers = ['row', 'median', 'spread', 'unit', 'ratio', 'first target'];
  const measuredRows = chosenRows.filter(({ name }) => figures.get(name)?.length);
  const lines = measuredRows.map(({ name, unit, baseline, target }) => {
    const rowFigures = figures.get(name) ?? [];
    const ratio = baseline
      ? (median(rowFigures) / median(figures.get(baseline) ?? [])).toFixed(2)
      : '';
    const spread = `${roundText(Math.min(...rowFigures))}–${roundText(Math.max(...rowFigures))}`;
    return [name, roundText(median(rowFigures)), spread, unit, ratio, target];
  });
  const widths = headers.map((header, at) =>
    Math.max(header.length, ...lines.map((line) => line[at]?.length ?? 0)),
  );
  return [headers, ...lines]
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const roundText = (figure: number): string =>
  figure < 100 ? figure.toFixed(1) : String(Math.round(figure));

async function machineOf({ databaseUrl }: Testbed): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows: settings } = await client.query(
    `select current_setting('server_version') as version, current_setting('fsync') as fsync,
       current_setting('synchronous_commit') as commit`,
  );
  await client.end();
  const { version, fsync, commit } = settings[0];
  const [cpu] = cpus();
  return [
    `${cpus().length} cores of ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version},`,
    `PostgreSQL ${version} (fsync ${fsync}, synchronous_commit ${commit}), load from the same machine.`,
  ].join(' ');
}

await main();
