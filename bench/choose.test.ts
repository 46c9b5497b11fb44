import { expect, it } from 'vitest';
import { chooseOne, chooseSome } from './choose.ts';

const rows = ['create', 'create confirmed', 'fetch'].map((name) => ({ name }));

it.each([
  ['Confirmed', 'create confirmed'],
  ['create', 'create'],
])('"%s" chooses the row "%s"', (text, name) => {
  expect(chooseOne(rows, 'row')(text, '--row')).toEqual({ name });
});

it('names the rows of which one can be chosen', () => {
  expect(() => chooseOne(rows, 'row')('e', '--row')).toThrow('Several rows have "e" in the name.');
});

it('chooses all rows with a text, in upper or lower case', () => {
  expect(chooseSome(rows, 'row')('CREATE', '--only')).toEqual(rows.slice(0, 2));
});

it.each([chooseOne, chooseSome])('names all rows if none has the text', (choose) => {
  expect(() => choose(rows, 'row')('refund', '--only')).toThrow(
    /^No row has "refund".*--only:\n {2}create\n {2}create confirmed\n {2}fetch$/,
  );
});
