import { expect, it } from 'vitest';
import { shortened, statementsIn } from './statements.ts';

it('splits at semicolons outside of texts, names, comments and bodies', () => {
  const sql = `-- one; two
    insert into a values ('it''s; fine', "b;c"); /* three; */
    create function f() returns trigger as $$ begin raise notice ';'; end $$;
    do $x$ begin select 1; end $x$;
    select a - b / $1`;
  expect(statementsIn(sql)).toEqual([
    `insert into a values ('it''s; fine', "b;c")`,
    "create function f() returns trigger as $$ begin raise notice ';'; end $$",
    'do $x$ begin select 1; end $x$',
    'select a - b / $1',
  ]);
});

it('shortens a statement to a line', () => {
  expect(shortened('select\n  a,\n  b', 20)).toBe('select a, b');
  expect(shortened('select a, b', 8)).toBe('select …');
});
