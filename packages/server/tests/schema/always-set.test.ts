import { resources } from '@florin/contract/resources/index.ts';
import { expect, it } from 'vitest';
import { compileModels, type Model } from '../../src/jsonapi/model.ts';
import { useApi } from '../support/api.ts';

const api = useApi();

const alwaysSetColumnsOf = ({ fields, table }: Model): string[] =>
  [...fields.values()]
    .filter(({ definition }) => definition.always_set)
    .map(({ column }) => `${table}.${column}`);

it('what a definition says is always set cannot be null in the database', async () => {
  const rows = await api.fixtures.db.query(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = current_schema() and is_nullable = 'NO'`,
    [],
  );
  const notNullColumns = new Set(rows.map(({ name }) => name));
  const declaredColumns = compileModels(resources).all.flatMap(alwaysSetColumnsOf);
  expect(declaredColumns.length).toBeGreaterThan(10);
  expect(declaredColumns.filter((column) => !notNullColumns.has(column))).toEqual([]);
});
