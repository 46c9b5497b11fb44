import { describe, expect, it } from 'vitest';
import { describeSchemaProblem, parseDatabaseAddress } from './address.ts';

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

  it.each([
    ['postgres://u@h/f', 'public', false],
    ['postgres://u@h1,h2/f?sslmode=verify-full&schema=cell_a&plans=fresh', 'cell_a', true],
    ['postgres://u:schema=x@h/f?plans=freshly', 'public', false],
  ])('%s has the schema %s', (text, schema, has_fresh_plans) => {
    expect(parseDatabaseAddress(text)).toMatchObject({ schema, has_fresh_plans });
  });

  it.each(['public', 'cell_a', '_1', 'a'.repeat(31)])('the schema %s is usable', (schema) => {
    expect(describeSchemaProblem({ schema, is_pooled: false })).toBeUndefined();
  });

  it.each([
    '',
    'Cell',
    '1a',
    'a-b',
    "a';--",
    'a%20b',
    'pg_cell',
    'information_schema',
    'vault',
    'a'.repeat(32),
  ])('the schema "%s" is refused', (schema) => {
    expect(describeSchemaProblem({ schema, is_pooled: false })).toMatch(
      'its schema must be 1 to 31',
    );
  });

  it('behind PgBouncer has the default schema', () => {
    expect(describeSchemaProblem({ schema: 'cell_a', is_pooled: true })).toMatch(
      'its schema must be public behind PgBouncer',
    );
    expect(describeSchemaProblem({ schema: 'public', is_pooled: true })).toBeUndefined();
  });
});
