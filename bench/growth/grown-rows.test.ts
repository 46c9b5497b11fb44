import { expect, it } from 'vitest';
import { grownRows } from './grown-rows.ts';

it('rows have names of their own without the size that they have in the bench', () => {
  const names = grownRows.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => /million|20,000/.test(name))).toEqual([]);
});
