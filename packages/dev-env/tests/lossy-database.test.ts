import { addressAt } from '@florin/dev-env/lossy-database.ts';
import { expect, it } from 'vitest';

it.each([
  ['postgresql://a:b@db:5432/c?schema=cell_a', 'postgresql://a:b@127.0.0.1:9/c?schema=cell_a'],
  [
    'postgresql://a:b@localhost/c?host=%2Fsockets&port=5433&schema=cell_a&pgbouncer=true',
    'postgresql://a:b@127.0.0.1:9/c?schema=cell_a&pgbouncer=true',
  ],
])('a proxy before %s keeps each parameter that is no place', (url, expected) => {
  expect(addressAt(url, { address: '127.0.0.1', family: 'IPv4', port: 9 })).toBe(expected);
});
