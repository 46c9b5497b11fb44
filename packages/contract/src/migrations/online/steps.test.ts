import { describe, expect, it } from 'vitest';
import { headerProblem, stepsOf } from './steps.ts';

describe('an online migration', () => {
  it.each([
    ['create index concurrently a_n on a (n)', { kind: 'build_index', index: 'a_n', table: 'a' }],
    [
      'create unique index concurrently a_n\n  on vault.a (n) where n is not null',
      { kind: 'build_index', index: 'a_n', table: 'vault.a' },
    ],
    ['drop index concurrently if exists a_n', { kind: 'drop_index' }],
    ['alter table a validate constraint a_check', { kind: 'validate', table: 'a' }],
    ['update a set m = n where :batch', { kind: 'backfill', table: 'a', alias: 'a' }],
    ['update a as b set m = n where :batch', { kind: 'backfill', table: 'a', alias: 'b' }],
    ['delete from a b where b.n = 1 and :batch', { kind: 'backfill', table: 'a', alias: 'b' }],
    ['delete from a where n = 1 and :batch', { kind: 'backfill', table: 'a', alias: 'a' }],
  ])('may have: %s', (sql, step) => {
    expect(stepsOf('0001-one', sql)).toEqual([expect.objectContaining({ ...step, sql })]);
  });

  it.each([
    'create index a_n on a (n)',
    'create index concurrently on a (n)',
    'create index concurrently if not exists a_n on a (n)',
    'drop index concurrently a_n',
    'alter table a add column m text',
    'update a set m = n',
    'insert into a values (1)',
  ])('may not have: %s', (sql) => {
    expect(headerProblem('0001-one', `-- florin: expand, online\n${sql}`)).toMatch(
      /^0001-one is online, but .* cannot run so\. An online migration has: create index/,
    );
  });

  it('is told by its first line', () => {
    expect(
      headerProblem('0001-one', '-- florin: expand\ninsert into a values (1)'),
    ).toBeUndefined();
  });
});
