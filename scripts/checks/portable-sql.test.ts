import { describe, expect, it } from 'vitest';
import {
  migrationStatements,
  portabilityFindings,
  shapesIn,
  statementsIn,
} from './portable-sql.ts';

const RANDOM = 'random() in a write';
const TIME = 'clock_timestamp() in an UPDATE or DELETE';
const QUERY = 'INSERT of a query that has parameters and reads a table';
const CONFLICT = 'parameters in ON CONFLICT of an INSERT of a query';
const INTERVAL = 'an interval in DO UPDATE';
const VALUES = 'a subquery in VALUES of an INSERT';
const ACTIVITY = 'statistics of the server beside a table';
const COLUMN = 'an interval added to a column in an UPDATE';
const SEVERAL = 'several changes or an unnamed constraint in one ALTER TABLE';

describe('a statement that Citus refuses', () => {
  it.each([
    [
      RANDOM,
      'with due as (select id from letters order by random()) update letters set due_at = $1',
    ],
    [
      TIME,
      `update sandbox_clocks set held_until = clock_timestamp() + interval '1 s' where id = $1`,
    ],
    [TIME, 'delete from audit_entries where created_at < clock_timestamp()'],
    [QUERY, 'insert into letters (id) select $1 from customers c where c.id = $2'],
    [QUERY, 'insert into letters (id) select i.id from unnest($1) i join merchants m using (id)'],
    [CONFLICT, 'insert into balances select * from due on conflict (id) do update set amount = $1'],
    [
      INTERVAL,
      `insert into balances values ($1) on conflict (id) do update set updated_at = balances.updated_at + interval '1 us'`,
    ],
    [
      VALUES,
      'insert into letters (id, locale) values ($1, (select locale from customers where id = $2))',
    ],
    [ACTIVITY, 'select (select count(*) from pg_stat_activity), (select count(*) from events)'],
  ])('has the shape: %s', (shape, sql) => {
    expect(shapesIn(sql)).toEqual([shape]);
  });

  it.each([
    [SEVERAL, 'alter table letters add column a text, add column b text'],
    [SEVERAL, 'alter table letters add check (a > 0)'],
    [SEVERAL, 'alter table letters add unique (a)'],
    [COLUMN, `update letters set due_at = due_at + interval '1 day'`],
  ])('has the shape in a migration: %s', (shape, sql) => {
    expect(shapesIn(sql, 'migration')).toEqual([shape]);
    expect(shapesIn(sql)).toEqual([]);
  });
});

describe('a statement that Citus runs', () => {
  it.each([
    'select clock_timestamp() as now',
    'select id, gen_random_uuid() from letters for no key update skip locked',
    'update sandbox_clocks set held_until = statement_timestamp() where id = $1',
    'with new as materialized (select $1::uuid from customers) insert into letters select * from new',
    'insert into letters (id) select i.id from unnest($1::uuid[]) as i (id) order by 1',
    'insert into letters select id from customers',
    'insert into balances values ($1) on conflict (id) do update set amount = $2',
    `insert into balances values ($1) on conflict (id) do update
       set updated_at = (balances.updated_at at time zone 'UTC' + interval '1 us') at time zone 'UTC'`,
    'insert into letters (id) values ($1) on conflict do nothing returning (select 1)',
    'select count(*) from pg_stat_activity where datname = current_database()',
    'alter table letters add column a numeric(10, 2)',
    'alter table letters add constraint letters_a check (a in (1, 2))',
  ])('%s', (sql) => {
    expect(shapesIn(sql, 'migration')).toEqual([]);
  });
});

it('reads the statements of a source, with a mark for each inserted value', () => {
  const source = `const a = \`select \${x} from t\`; const b = 'delete from t'; const c = 'a text';`;
  expect(statementsIn('a.ts', source)).toEqual(['select § from t', 'delete from t']);
});

it('reads the statements of a migration without comments and functions', () => {
  const sql = `-- random()\nselect 1;\ndo $$ begin perform random(); end $$;`;
  expect(migrationStatements(sql).map((each) => each.trim())).toEqual(['select 1', 'do §', '']);
});

it('the server has no statement that Citus refuses', () => {
  expect(portabilityFindings()).toEqual([]);
});
