import { expect, it } from 'vitest';
import type { Row } from '../row.ts';
import { chooseRow } from './choose-row.ts';

const rows = ['create', 'create confirmed', 'fetch'].map(
  (name): Row => ({ name, unit: '', target: '', measure: async () => 0 }),
);

it.each([
  ['confirmed', 'create confirmed'],
  ['create', 'create'],
])('"%s" chooses the row "%s"', (text, name) => {
  expect(chooseRow(rows, text)).toMatchObject({ name });
});

it('names the rows of which one can be chosen', () => {
  expect(chooseRow(rows, 'e')).toContain('Several rows have "e" in the name.');
  expect(chooseRow(rows, 'refund')).toMatch(
    /^No row has "refund".*\n {2}create\n {2}create confirmed\n {2}fetch$/,
  );
});
