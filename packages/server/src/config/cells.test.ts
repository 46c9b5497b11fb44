import { expect, it } from 'vitest';
import { parseCells } from './cells.ts';

it('reads the addresses of cells in their order', () => {
  const cells = parseCells('home=http://10.0.0.5:4000, away=https://away.internal');
  expect(cells?.map(({ name, url }) => [name, url.origin])).toEqual([
    ['home', 'http://10.0.0.5:4000'],
    ['away', 'https://away.internal'],
  ]);
});

it.each([
  '',
  'home',
  'home=',
  'home=10.0.0.5:4000',
  'home=ftp://10.0.0.5',
  'home=http://10.0.0.5/path',
  'Home=http://10.0.0.5',
  'home=http://10.0.0.5,home=http://10.0.0.6',
  'home=http://10.0.0.5,away',
  'all=http://10.0.0.5',
  'none=http://10.0.0.5',
])('refuses %j', (text) => {
  expect(parseCells(text)).toBeUndefined();
});
