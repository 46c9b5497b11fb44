import { expect, it } from 'vitest';
import { renderQueries, renderStatements, type StatementCost } from './statements.ts';

const statement = (query: string, total_ms: number): StatementCost => ({
  role: 'server',
  calls: 10,
  rows: 200,
  total_ms,
  mean_ms: total_ms / 10,
  plan_ms: 20,
  hits: 4_000,
  wal_bytes: 1_500_000,
  query,
});

const statements = [
  statement('insert into payment_demands\n  values ($1)', 280),
  statement('commit', 80),
];

it('prints the longest statements on a line each, with their share of all', () => {
  const lines = renderStatements(statements, 1).split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]?.trim().split(/ {2,}/)).toEqual(
    ['1', '75.0', 'server', '10', '200', '280', '28.00', '20', '4000', '1500'].concat(
      'insert into payment_demands values ($1)',
    ),
  );
});

it('keeps the whole texts under the numbers of the table', () => {
  expect(renderQueries(statements)).toBe(
    '-- 1\ninsert into payment_demands\n  values ($1);\n\n-- 2\ncommit;\n',
  );
});
