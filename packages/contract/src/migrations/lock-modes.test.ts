import { expect, it } from 'vitest';
import { locksIn } from './lock-modes.ts';

const HEADER = '-- florin: expand\n';

it.each<[string, Record<string, string>]>([
  ['create index a_n on a (n)', { a: 'share' }],
  ['create unique index if not exists a_n on only public.a (n)', { a: 'share' }],
  ['create index concurrently a_n on a (n)', {}],
  ['drop index concurrently if exists a_n', {}],
  ['alter table a add column m text', { a: 'access exclusive' }],
  ['ALTER TABLE "A" ADD COLUMN m text', { A: 'access exclusive' }],
  ['alter table a validate constraint a_check', {}],
  [
    'alter table a add foreign key (b_id) references b (id)',
    { a: 'access exclusive', b: 'share row exclusive' },
  ],
  ['create table c (b_id uuid references b (id))', { b: 'share row exclusive' }],
  [
    'create trigger t before update on a for each row execute function f()',
    { a: 'share row exclusive' },
  ],
  ['drop trigger t on a', { a: 'access exclusive', t: 'access exclusive' }],
  ['drop index a_n', { a_n: 'access exclusive' }],
  ['update a set n = 1', {}],
  ['create function f() returns void as $$ drop table a; -- references b $$ language sql', {}],
  ['do $$ begin alter table a add m text; end $$', { a: 'access exclusive' }],
  ['create index a_n on a (n); alter table a add m text', { a: 'access exclusive' }],
])('%s', (sql, locks) => {
  expect(Object.fromEntries(locksIn(HEADER + sql))).toEqual(locks);
});

it('a migration from before headers locks every table that it names', () => {
  expect(
    Object.fromEntries(locksIn('create index a_n on a (n); insert into b values (1)')),
  ).toEqual({ a: 'access exclusive', b: 'access exclusive', a_n: 'access exclusive' });
});
