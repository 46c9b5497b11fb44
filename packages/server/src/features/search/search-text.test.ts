import { describe, expect, it } from 'vitest';
import { readSearchText } from './search-text.ts';

const ID = '01990000-0000-7000-8000-000000000001';
const idsOf = (from: string, to: string) => ({
  from: from + ID.slice(from.length).replace(/[^-]/g, '0'),
  to: to + ID.slice(to.length).replace(/[^-]/g, 'f'),
});

describe('a search text', () => {
  it.each([
    ['Ada Lovelace', { words: ['Ada', 'Lovelace'], patterns: ['%Ada%', '%Lovelace%'] }],
    ['Jo of Ely', { words: ['Ely'], patterns: ['%Jo%', '%of%', '%Ely%'] }],
    ['100%_', { words: ['100%_'], patterns: ['%100\\%\\_%'] }],
    ['•••• 0004', { last_four: '0004', words: ['••••', '0004'] }],
    ['1455', { last_four: '1455', words: ['1455'] }],
    ['5', { words: [], patterns: ['%5%'] }],
  ])('%j has its words, and its last four digits', (text, expected) => {
    expect(readSearchText(text)).toMatchObject({ last_four: null, ids: null, ...expected });
  });

  it.each([
    ['20', [20, 2000, 20_000]],
    ['1455', [1455, 145_500, 1_455_000]],
    ['$24.99', [undefined, 2499, 24_990]],
    ['24,99 €', [undefined, 2499, 24_990]],
    ['1.234', [undefined, undefined, 1234]],
    ['order-5', []],
    ['Ada', []],
  ])('%j is the amounts %o of currencies with 0, 2 and 3 decimals', (text, cents) => {
    const amounts = [0, 2, 3].map((exponent, index) => ({ exponent, cents: cents[index] }));
    expect(readSearchText(text).amounts).toEqual(amounts.filter((it) => it.cents !== undefined));
  });

  it.each([
    [ID.toUpperCase(), idsOf(ID, ID)],
    [ID.replaceAll('-', ''), idsOf(ID, ID)],
    ['01990000', idsOf('01990000', '01990000')],
    ['01990000-', idsOf('01990000', '01990000')],
    ['01990000-00', idsOf('01990000-00', '01990000-00')],
    ['0199000', null],
    ['0199-0000', null],
    [`${ID}0`, null],
    ['order-01990000', null],
  ])('%j begins the ids %o', (text, ids) => {
    expect(readSearchText(text).ids).toEqual(ids);
  });
});
