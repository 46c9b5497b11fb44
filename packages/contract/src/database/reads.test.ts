import { expect, it } from 'vitest';
import { isRead } from './reads.ts';

it.each([
  'select 1',
  '  \n SELECT n from kept where n = $1',
  'with kept as (select 1) select * from kept',
  'select updated_at, share_of from kept',
])('a statement that only reads: %s', (sql) => {
  expect(isRead(sql)).toBe(true);
});

it.each([
  'insert into kept values (1)',
  'with gone as (delete from kept returning n) select n from gone',
  'with made as (insert into kept values (1) returning n) select n from made',
  'with x as (select 1) merge into kept using x on true when matched then do nothing',
  "select nextval('numbers')",
  "select SetVal('numbers', 1)",
  'select pg_advisory_lock(1)',
  'select pg_try_advisory_xact_lock(1)',
  'select pg_advisory_unlock_all()',
  'select n into other from kept',
  'select n from kept for update',
  'select n from kept for no key update',
  'select n from kept for share',
  'select n from kept for key share',
  "select set_config('role', 'x', false)",
  "select pg_notify('channel', 'x')",
  'select pg_terminate_backend(1)',
  "select dblink_exec('insert')",
  'select lo_create(0)',
  'begin',
  'explain analyze select 1',
])('a statement that is not repeated: %s', (sql) => {
  expect(isRead(sql)).toBe(false);
});
