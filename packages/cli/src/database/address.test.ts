import { expect, it } from 'vitest';
import { databaseUrlsOf, withDatabaseLogin } from './address.ts';

it.each(['mysql://u@h/f', 'postgres://u@h1:x,h2/f', 'florin', ''])(
  '"%s" is no address of PostgreSQL',
  (text) => {
    expect(databaseUrlsOf(text)).toBeUndefined();
  },
);

it('an address keeps hosts and parameters with another login', () => {
  expect(withDatabaseLogin('postgres://u:p@h1,h2:5433/f?user=x&a=b', 'vault', 'p/w')).toBe(
    'postgres://vault:p%2Fw@h1,h2:5433/f?a=b',
  );
});
