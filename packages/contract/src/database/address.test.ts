import { describe, expect, it } from 'vitest';
import { parseDatabaseAddress } from './address.ts';

describe('an address of PostgreSQL', () => {
  it.each([
    [
      'postgres://u:p@h1,h2:5433/florin',
      ['postgres://u:p@h1/florin', 'postgres://u:p@h2:5433/florin'],
    ],
    [
      'postgresql://u@h1:1,[::1]:2/f?sslmode=verify-full',
      ['postgresql://u@h1:1/f?sslmode=verify-full', 'postgresql://u@[::1]:2/f?sslmode=verify-full'],
    ],
    ['postgres://u:a,b@h/florin', ['postgres://u:a,b@h/florin']],
    ['postgres://u@/florin?host=/run/postgresql', ['postgres://u@/florin?host=/run/postgresql']],
  ])('%s has a URL per host', (text, urls) => {
    expect(parseDatabaseAddress(text)).toMatchObject({ urls, is_pooled: false });
  });

  it.each([
    ['postgres://u@h/f?pgbouncer=true', true],
    ['postgres://u@h1,h2/f?sslmode=verify-full&pgbouncer=true&x=1', true],
    ['postgres://u@h/f?pgbouncer=trueish', false],
    ['postgres://u:pgbouncer=true@h/f', false],
  ])('%s is pooled: %s', (text, is_pooled) => {
    expect(parseDatabaseAddress(text).is_pooled).toBe(is_pooled);
  });
});
