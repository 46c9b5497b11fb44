import { join } from 'node:path';
import { readOptions } from '../../scripts/options.ts';
import { machineOf } from '../machine.ts';
import { endShownRow, measureRows, showRow } from '../measure-rows.ts';
import { grouped } from '../progress.ts';
import { replaceFile } from '../results.ts';
import type { Row } from '../row.ts';
import { createTestbed, type Testbed } from '../testbed.ts';
import { grownRows } from './grown-rows.ts';
import { type GrowingPayments, openGrowingPayments } from './payments.ts';
import { renderGrowth, renderSizes, type SizeResult } from './render.ts';
import { parseSizes } from './sizes.ts';
import { measureLists, renderLists } from './slowest-lists.ts';

const options = readOptions({
  command: 'npm run bench:growth',
  summary:
    'Measures rows of the bench at growing numbers of payments, and writes bench/growth.json.',
  options: {
    payments: { default: '10000,1000000', description: 'numbers of payments' },
    seconds: { default: '5', description: 'seconds to measure each row in a round' },
    rounds: { default: '3', description: 'number of measurements of each row' },
    only: { default: '', description: 'only rows whose name contains this text' },
  },
});
const rows = grownRows.filter(({ name }) => name.includes(options.only)).map(tolerant);
const rounds = { rounds: Number(options.rounds), seconds: Number(options.seconds) };

async function main(): Promise<void> {
  const sizes = parseSizes(options.payments);
  if (typeof sizes === 'string') return refuse(sizes);
  await using testbed = await createTestbed();
  await using payments = await openGrowingPayments(testbed);
  const machine = await machineOf(testbed);
  console.log(`${machine}\n${rounds.rounds} rounds of ${rounds.seconds} s a row, medians.\n`);
  const results: SizeResult[] = [];
  for (const size of sizes) {
    results.push(await measureSize(testbed, payments, size));
    record(machine, results);
  }
  console.log(`${renderGrowth(rows, results)}\n\n${renderSizes(results)}`);
  for (const { payments, lists } of results)
    console.log(`\n${grouped(payments)} payments\n${renderLists(lists)}`);
}

function refuse(reason: string): void {
  console.error(reason);
  process.exitCode = 2;
}

async function measureSize(
  testbed: Testbed,
  payments: GrowingPayments,
  size: number,
): Promise<SizeResult> {
  await payments.growTo(size);
  const database_bytes = await databaseBytes(testbed);
  const lists = await measureLists(testbed);
  const figures = new Map<string, number[]>(rows.map(({ name }) => [name, []]));
  await measureRows(grownTestbed(testbed, size), rows, rounds, {
    onStart: (stage, row) => showRow(`${grouped(size)} payments, ${stage}`, row),
    onFigure: (row, measured) => {
      const figure = typeof measured === 'number' ? measured : measured.figure;
      if (Number.isFinite(figure)) figures.get(row.name)?.push(figure);
    },
  });
  endShownRow();
  const payments_at_end = await countPayments(testbed);
  return { payments: size, payments_at_end, database_bytes, figures, lists };
}

/** The same installation, where all rows use one merchant. A new object, so that rows keep nothing of another size. */
const grownTestbed = (testbed: Testbed, payments: number): Testbed => ({
  ...testbed,
  million: async () => ({ headers: testbed.headers, payments }),
});

/** A row that fails at one size leaves a gap in the table: a long run continues. */
function tolerant(row: Row): Row {
  const measure: Row['measure'] = async (testbed, seconds) => {
    try {
      return await row.measure(testbed, seconds);
    } catch (error) {
      console.error(`\n${row.name}: ${(error as Error).message}`);
      return Number.NaN;
    }
  };
  return { ...row, measure };
}

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

await main();
