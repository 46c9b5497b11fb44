import { expect, it } from 'vitest';
import { renderWal } from './write-ahead-log.ts';

it('prints the records and bytes of one payment, by kind and in all', () => {
  const kinds = [
    { kind: 'Btree', records: 890, bytes: 60_000, page_bytes: 5_000 },
    { kind: 'Heap', records: 110, bytes: 40_000, page_bytes: 0 },
  ];
  const lines = renderWal(kinds, 10).split('\n').slice(1);
  expect(lines.map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['Btree', '89.0', '6000.0', '500.0'],
    ['Heap', '11.0', '4000.0', '0.0'],
    ['all', '100.0', '10000.0', '500.0'],
  ]);
});
