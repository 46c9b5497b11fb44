import { describe, expect, it } from 'vitest';
import { joinPages } from './join-pages.ts';

const SIZE = 50;
const row = (number: number) => {
  const digits = String(number).padStart(6, '0');
  return {
    id: `01935f00-0000-7000-8000-${digits.padStart(12, '0')}`,
    created_at: `2026-11-29T10:00:00.${digits}Z`,
  };
};
const positionOf = ({ id, created_at }: ReturnType<typeof row>): string => `${created_at}_${id}`;

/** The page of a cell with these rows, as its server reads it. */
function pageOfCell(numbers: readonly number[], after: string, is_descending: boolean) {
  const sign = is_descending ? -1 : 1;
  const rows = numbers
    .map(row)
    .sort((one, other) => (positionOf(one) < positionOf(other) ? -sign : sign))
    .filter((one) => after === '' || positionOf(one) > after !== is_descending)
    .filter((one) => positionOf(one) !== after);
  const data = rows.slice(0, SIZE);
  const last = data.at(-1);
  return { data, next: rows.length > SIZE && last ? positionOf(last) : null };
}

const numbers = (count: number, step: number, start = 0): number[] =>
  Array.from({ length: count }, (_, at) => start + at * step);

describe('pages of several cells', () => {
  it.each([
    ['interleaved', [numbers(120, 2), numbers(120, 2, 1)]],
    ['of one cell before those of the other', [numbers(75, 1), numbers(75, 1, 1_000)]],
    ['of which one is empty', [numbers(51, 1), []]],
    [
      'of three cells, each less than a page',
      [numbers(20, 3), numbers(20, 3, 1), numbers(20, 3, 2)],
    ],
    ['of exactly one page', [numbers(25, 2), numbers(25, 2, 1)]],
    ['without rows', [[], []]],
  ])('%s have each row once, in order', (_, cells) => {
    for (const is_descending of [false, true]) {
      const read: string[] = [];
      let after: string | null = '';
      for (let pages = 0; after !== null && pages < 10; pages++) {
        const from: string = after;
        const joined = joinPages(
          cells.map((cell) => pageOfCell(cell, from, is_descending)),
          { at: 'created_at', is_descending },
        );
        const rows = joined.data as ReturnType<typeof row>[];
        expect(rows.length).toBeLessThanOrEqual(SIZE);
        read.push(...rows.map(positionOf));
        after = joined.next as string | null;
      }
      const all = cells
        .flat()
        .map((number) => positionOf(row(number)))
        .sort();
      expect(read).toEqual(is_descending ? all.reverse() : all);
    }
  });
});
