import { join } from 'node:path';
import { readOptions } from '../scripts/options.ts';
import { ensureChromium } from '../scripts/setup/chromium.ts';
import { chooseSome } from './choose.ts';
import { machineOf } from './machine.ts';
import { measureRows, renderRounds } from './measure-rows.ts';
import { renderMemory } from './memory.ts';
import { roundOptions } from './options.ts';
import { endStep, showStep } from './progress.ts';
import { PGBENCH, REFERENCE } from './reference-rows.ts';
import { renderFigures, renderProcessorTimes } from './report.ts';
import { createResults, type Results } from './results.ts';
import type { Row } from './row.ts';
import { rows } from './rows.ts';
import { runCommand } from './run-command.ts';
import { createTestbed } from './testbed.ts';

const { only, ...rounds } = readOptions({
  command: 'npm run bench',
  summary: 'Measures this machine and writes each result to bench/results.json.',
  options: {
    ...roundOptions('row'),
    only: {
      default: '',
      description: 'only rows whose name contains this text',
      parse: chooseSome(rows, 'row'),
    },
  },
});

async function main(): Promise<void> {
  const chosenRows = rows.filter((row) => only.includes(row) || isReference(row.name));
  if (chosenRows.some(({ browser }) => browser)) await ensureChromium();
  await using testbed = await createTestbed();
  const machine = await machineOf(testbed);
  console.log(
    `${machine}\n${renderRounds(rounds)} a row, medians; ratios hold within one run only.\n`,
  );
  const results = createResults(
    join(import.meta.dirname, 'results.json'),
    { machine, ...rounds },
    chosenRows.map(({ name }) => name),
  );
  try {
    await measureRows(testbed, chosenRows, rounds, {
      onStart: (stage, { name }) => showStep(`${stage}: ${name}`),
      onFigure: ({ name }, measured) => results.add(name, measured),
    });
  } finally {
    endStep();
    printResults(chosenRows, results);
  }
  const memory = testbed.memory();
  results.finish(memory);
  console.log(`\nResident memory after the run: ${renderMemory(memory)}.`);
  console.log('First target: at most 400 MB for each process. Goal: 250 MB.');
}

/** Whether a selected benchmark is compared with this one, which must then run too. */
const isReference = (name: string): boolean =>
  only.some(({ baseline }) => baseline === name || (baseline === REFERENCE && name === PGBENCH));

const TARGETS =
  'First targets and goals are those of this project for two cores, see docs/pages/operate/size.md. Where they begin\n' +
  'with "ratio", they apply to the column "ratio": the figure divided by that of the row it is compared with.';

/** Prints all figures until now: also of a run that is interrupted, or that fails. */
function printResults(chosenRows: readonly Row[], { figures, processor_ms }: Results): void {
  if ([...figures.values()].every(({ length }) => length === 0)) return;
  console.log(`${renderFigures(chosenRows, figures)}\n\n${TARGETS}`);
  const table = renderProcessorTimes(processor_ms);
  if (table) console.log(`\nProcessor time per operation, ms:\n${table}`);
}

await runCommand(main);
