import { join } from 'node:path';
import { readOptions } from '../../scripts/options.ts';
import { chooseSome } from '../choose.ts';
import { untilInterrupted } from '../interruption.ts';
import { machineOf } from '../machine.ts';
import { measureRows, renderRounds } from '../measure-rows.ts';
import { roundOptions } from '../options.ts';
import { endStep, grouped, showStep } from '../progress.ts';
import { replaceFile } from '../results.ts';
import { runCommand } from '../run-command.ts';
import { createTestbed, type Testbed } from '../testbed.ts';
import { grownRows } from './grown-rows.ts';
import { type GrowingPayments, openGrowingPayments, requireDisk } from './payments.ts';
import { renderGrowth, renderSizes, type SizeResult } from './render.ts';
import { parseSizes } from './sizes.ts';
import { measureLists, renderLists } from './slowest-lists.ts';

const {
  payments: sizes,
  only: rows,
  ...rounds
} = readOptions({
  command: 'npm run bench:growth',
  summary:
    'Measures rows of the bench at growing numbers of payments, and writes bench/growth.json.',
  options: {
    payments: {
      default: '10000,1000000',
      description: 'numbers of payments',
      parse: parseSizes,
    },
    ...roundOptions('row'),
    only: {
      default: '',
      description: 'only rows whose name contains this text',
      parse: chooseSome(grownRows, 'row'),
    },
  },
});

async function main(): Promise<void> {
  requireDisk(Math.max(...sizes));
  await using testbed = await createTestbed();
  await using payments = await openGrowingPayments(testbed);
  const machine = await machineOf(testbed);
  console.log(`${machine}\n${renderRounds(rounds)} a row, medians.\n`);
  const results: SizeResult[] = [];
  for (const size of sizes) {
    results.push(await measureSize(testbed, payments, size));
    record(machine, results);
  }
  console.log(`${renderGrowth(rows, results)}\n\n${renderSizes(results)}`);
  for (const { payments, lists } of results)
    console.log(`\n${grouped(payments)} payments\n${renderLists(lists)}`);
}

async function measureSize(
  testbed: Testbed,
  payments: GrowingPayments,
  size: number,
): Promise<SizeResult> {
  await untilInterrupted(payments.growTo(size));
  const database_bytes = await databaseBytes(testbed);
  showStep(`${grouped(size)} payments, lists`);
  const lists = await untilInterrupted(measureLists(testbed));
  const figures = new Map<string, number[]>(rows.map(({ name }) => [name, []]));
  await measureRows(grownTestbed(testbed, size), rows, rounds, {
    onStart: (stage, { name }) => showStep(`${grouped(size)} payments, ${stage}: ${name}`),
    onFigure: (row, measured) => {
      const figure = typeof measured === 'number' ? measured : measured.figure;
      if (Number.isFinite(figure)) figures.get(row.name)?.push(figure);
    },
    // Leaves a gap in the table: a long run continues.
    onFailure: ({ name }, { message }) => {
      endStep();
      console.error(`${name}: ${message}`);
    },
  });
  endStep();
  const payments_at_end = await countPayments(testbed);
  return { payments: size, payments_at_end, database_bytes, figures, lists };
}

/** The same installation, where all rows use one merchant. A new object, so that rows keep nothing of another size. */
const grownTestbed = (testbed: Testbed, payments: number): Testbed => ({
  ...testbed,
  million: async () => ({ headers: testbed.headers, payments }),
});

async function databaseBytes(testbed: Testbed): Promise<number> {
  const [row] = await testbed.query<{ bytes: number }>(
    'select pg_database_size(current_database())::float8 as bytes',
  );
  return row?.bytes ?? Number.NaN;
}

async function countPayments(testbed: Testbed): Promise<number> {
  const [row] = await testbed.query<{ count: number }>(
    'select count(*)::float8 as count from payment_demands',
  );
  return row?.count ?? Number.NaN;
}

/** Replaces the file after each size, so that a long run that ends early has left its figures. */
function record(machine: string, results: readonly SizeResult[]): void {
  const sizes = results.map((result) => ({
    ...result,
    figures: Object.fromEntries(result.figures),
  }));
  replaceFile(join(import.meta.dirname, '..', 'growth.json'), { machine, ...rounds, sizes });
}

await runCommand(main);
