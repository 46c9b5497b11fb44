import { expect, it } from 'vitest';
import { createStatementNames, statementName } from './statement-names.ts';

const nameAfterUses = (nameOf: (sql: string) => string | undefined, sql: string, times: number) =>
  Array.from({ length: times }, () => nameOf(sql) !== undefined);

it('a statement has a name from its third use on, always the same', () => {
  const nameOf = createStatementNames();
  expect(nameAfterUses(nameOf, 'select 1', 5)).toEqual([false, false, true, true, true]);
  expect(nameOf('select 1')).toBe(nameOf('select 1'));
  expect(nameOf('select 1')).toMatch(/^q_[0-9a-f]{16}$/);
});

it('a repeated statement gets a name, however many others came before', () => {
  const nameOf = createStatementNames();
  for (let shape = 0; shape < 5_000; shape++) nameAfterUses(nameOf, `select ${shape}`, 3);
  expect(nameAfterUses(nameOf, 'select a_new_one', 3)).toEqual([false, false, true]);
});

it('statements that come once take no name from those in use', () => {
  const nameOf = createStatementNames();
  const name = nameAfterUses(nameOf, 'select used', 3) && nameOf('select used');
  for (let shape = 0; shape < 5_000; shape++) nameOf(`select ${shape}`);
  expect(nameOf('select used')).toBe(name);
});

it('a long statement gets no name', () => {
  expect(nameAfterUses(createStatementNames(), `select ${'1'.repeat(5_000)}`, 4)).not.toContain(
    true,
  );
});

it("a name fits PostgreSQL's limit, and differs from others with the same beginning", () => {
  const longNames = ['email', 'name'].map(
    (column) => `by_key_${'merchant_id_'.repeat(5)}${column}`,
  );
  const shortNames = longNames.map(statementName);
  expect(shortNames.map(({ length }) => length)).toEqual([63, 63]);
  expect(new Set(shortNames).size).toBe(2);
  expect(statementName('find_letters')).toBe('find_letters');
});
