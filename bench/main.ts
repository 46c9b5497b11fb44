import { join } from 'node:path';
import { readOptions } from '../scripts/options.ts';
import { ensureChromium } from '../scripts/setup/chromium.ts';
import { machineOf } from './machine.ts';
import { endShownRow, measureRows, showRow } from './measure-rows.ts';
import { PGBENCH, REFERENCE } from './reference-rows.ts';
import { renderFigures, renderProcessorTimes } from './report.ts';
import { createResults, type Results } from './results.ts';
import { rows } from './rows.ts';
import { createTestbed } from './testbed.ts';

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

async function main(): Promise<void> {
  const chosenRows = rows.filter(
    ({ name }) => !options.only || name.includes(options.only) || isReference(name),
  );
  if (chosenRows.length === 0) return refuse(`No row has "${options.only}" in its name.`);
  if (!(SECONDS > 0 && Number.isInteger(ROUNDS) && ROUNDS > 0))
    return refuse('--seconds must be a positive number, and --rounds a positive whole number.');
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
    await measureRows(
      testbed,
      chosenRows,
      { rounds: ROUNDS, seconds: SECONDS },
      { onStart: showRow, onFigure: ({ name }, measured) => results.add(name, measured) },
    );
  } finally {
    endShownRow();
    console.log(renderFigures(chosenRows, results.figures));
    console.log(processorTable(results));
  }
  const memory = testbed.memory();
  results.finish(memory);
  console.log(
    `\nResident memory after the run, MB: ${JSON.stringify(memory)} (first target 400 a process, goal 250)`,
  );
}

function refuse(reason: string): void {
  console.error(reason);
  process.exitCode = 2;
}

/** Whether a selected benchmark is compared with this one, which must then run too. */
const isReference = (name: string): boolean =>
  rows.some(
    (row) =>
      row.name.includes(options.only) &&
      (row.baseline === name || (row.baseline === REFERENCE && name === PGBENCH)),
  );

const processorTable = ({ processor_ms }: Results): string => {
  const table = renderProcessorTimes(processor_ms);
  return table ? `\nProcessor time per operation, ms:\n${table}` : '';
};

await main();
