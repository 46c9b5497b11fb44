import { expect, test } from 'vitest';
import { recordsetOf, type Table } from './catalog.ts';

const table = (...json_columns: string[]): Table => ({
  name: 'things',
  columns: ['id', 'note', 'metadata', 'items'],
  json_columns: new Set(json_columns),
});

test.each([
  ['texts', [{ id: '1', note: 'a "b"\n' }], '[{"id":"1","note":"a \\"b\\"\\n"}]'],
  ['JSON as it is', [{ id: '1', metadata: '{"a": 1}' }], '[{"id":"1","metadata":{"a": 1}}]'],
  ['JSON alone', [{ metadata: '[]', items: '[1]' }], '[{"metadata":[],"items":[1]}]'],
  ['null', [{ id: '1', note: null, metadata: null }], '[{"id":"1","note":null}]'],
  ['several rows', [{ id: '1' }, {}], '[{"id":"1"},{}]'],
])('rows with %s', (_name, rows, expected) => {
  expect(recordsetOf(table('metadata', 'items'), rows)).toBe(expected);
});

test('a table without JSON has texts only', () => {
  expect(recordsetOf(table(), [{ id: '1', metadata: '{}' }])).toBe('[{"id":"1","metadata":"{}"}]');
});

test('the row stays as it is', () => {
  const row = { id: '1', metadata: '{}' };
  recordsetOf(table('metadata'), [row]);
  expect(row).toEqual({ id: '1', metadata: '{}' });
});
