import { expect, it } from 'vitest';
import type { Row } from '../row.ts';
import { renderGrowth, renderSizes } from './render.ts';

const row = (name: string, unit: string): Row => ({
  name,
  unit,
  target: '',
  measure: async () => 0,
});
const rows = [
  row('create', 'creates/s'),
  row('page: 50, each time another page', 'ms CPU'),
  row('deliveries', 'deliveries/s'),
];
const sizes = [
  {
    payments: 10_000,
    lists: [],
    payments_at_end: 90_000,
    database_bytes: 120_000_000,
    figures: new Map([
      ['create', [4000, 5000, 4400]],
      ['page: 50, each time another page', [0.5]],
    ]),
  },
  {
    payments: 1_000_000,
    lists: [],
    payments_at_end: 1_080_000,
    database_bytes: 6_000_000_000,
    figures: new Map([
      ['create', [2200]],
      ['page: 50, each time another page', [0.75]],
    ]),
  },
];

it('has a column per size, and the cost at the largest size against the smallest', () => {
  const lines = renderGrowth(rows, sizes).split('\n');
  expect(lines.map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['row', 'unit', '10,000', '1,000,000', 'cost, largest / smallest'],
    ['create', 'creates/s', '4400', '2200', '2.00'],
    ['page: 50, each time another page', 'ms CPU', '0.50', '0.75', '1.50'],
    ['deliveries', 'deliveries/s'],
  ]);
});

it('tells how large each table was at the beginning and at the end', () => {
  expect(renderSizes(sizes).split('\n')[1]).toBe(
    '1,000,000 payments: database of 6.0 GB, 1,080,000 payments after the rows',
  );
});
