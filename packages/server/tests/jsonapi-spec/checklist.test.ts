import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** The items of the checklist of JSON:API 1.1, by chapter. */
const chapters: readonly (readonly [name: string, first: number, last: number])[] = [
  ['content negotiation', 1, 19],
  ['document structure', 20, 34],
  ['links', 35, 43],
  ['compound documents', 44, 59],
  ['sparse fieldsets', 60, 67],
  ['sorting', 68, 75],
  ['pagination', 76, 85],
  ['cursor profile', 86, 96],
  ['filtering', 97, 108],
  ['query parameters', 109, 113],
  ['fetching', 114, 120],
  ['creating', 121, 135],
  ['updating', 136, 145],
  ['addresses of relationships', 146, 152],
  ['deleting and errors', 153, 160],
];

/** Number at the beginning of a test's name. */
const ITEM_NUMBER = /(?<=['"`])#(\d+) /g;

const files = readdirSync(import.meta.dirname).filter((name) => name !== 'checklist.test.ts');
const testedItems = files.flatMap((name) => {
  const text = readFileSync(join(import.meta.dirname, name), 'utf8');
  return [...text.matchAll(ITEM_NUMBER)].map((match) => Number(match[1]));
});

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

it('every item of the checklist has exactly one test', () => {
  const lines = chapters.map(([name, first, last]) => {
    const coveredItems = range(first, last).filter((item) => testedItems.includes(item));
    return `  ${name}: ${coveredItems.length} of ${last - first + 1}`;
  });
  const items = new Set(testedItems);
  console.log([`checklist: ${items.size} of 160 items`, ...lines].join('\n'));
  expect(testedItems.toSorted((a, b) => a - b)).toEqual(range(1, 160));
});
