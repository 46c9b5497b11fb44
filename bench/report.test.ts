import { expect, it } from 'vitest';
import { PGBENCH, REFERENCE } from './reference-rows.ts';
import { renderFigures, renderProcessorTimes } from './report.ts';
import type { Row } from './row.ts';

const row = (name: string, more: Partial<Row> = {}): Row => ({
  name,
  unit: 'tx/s',
  target: '',
  measure: async () => 0,
  ...more,
});

const rows = [
  row(REFERENCE),
  row(PGBENCH, { baseline: REFERENCE, isInstalled: () => false }),
  row('confirmed', { baseline: REFERENCE }),
];
const linesOf = (table: string): string[] => table.split('\n').map((line) => line.trim());

it('a row has its median, its spread, and ratios to the reference and to pgbench', () => {
  const figures = new Map([
    [REFERENCE, [6000, 5000, 7000]],
    [PGBENCH, [8000]],
    ['confirmed', [1500, 3000, 1400]],
  ]);
  const line = linesOf(renderFigures(rows, figures))[3];
  expect(line?.split(/ {2,}/)).toEqual(['confirmed', '1500', '1400–3000', 'tx/s', '0.25', '0.19']);
});

it('says that pgbench is not installed, and gives no ratio to it', () => {
  const figures = new Map([
    [REFERENCE, [6000]],
    ['confirmed', [1500]],
  ]);
  const lines = linesOf(renderFigures(rows, figures)).map((line) => line.split(/ {2,}/));
  expect(lines[2]).toEqual([PGBENCH, 'not installed']);
  expect(lines[3]).toEqual(['confirmed', '1500', '1500–1500', 'tx/s', '0.25']);
});

it('shows the processor time of Florin apart from the simulator and the load', () => {
  const round = { server: 0.6, vault: 0.2, postgresql: 1, simulator: 0.1, load: 0.3 };
  const table = renderProcessorTimes(new Map([['confirmed', [round]]])) ?? '';
  expect(linesOf(table).map((line) => line.split(/ {2,}/))).toEqual([
    ['row', 'server', 'vault', 'postgresql', 'these three', 'simulator', 'load'],
    ['confirmed', '0.600', '0.200', '1.000', '1.800', '0.100', '0.300'],
  ]);
});

it('shows no processor time where no row measured it', () => {
  expect(renderProcessorTimes(new Map())).toBeUndefined();
});
