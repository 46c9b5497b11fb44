import { resources } from '@florin/contract/resources/index.ts';
import { expect, it } from 'vitest';
import { isLong, PREFIX_CHARACTERS } from '../long-text.ts';
import { compileModels, type FieldModel } from '../model.ts';
import { CURSOR_TEXT_MAX, SORT_KEYS_MAX } from '../parse-query/limits.ts';
import type { SortKey } from '../parse-query/query.ts';
import { createCursors } from './cursor.ts';

const models = compileModels(resources);
/** Longest text that the server itself generates. */
const OWN_TEXT_MAX = 255;

const lengthOf = (field: FieldModel): number =>
  isLong(field) ? PREFIX_CHARACTERS : (field.definition.max ?? OWN_TEXT_MAX);

const byLength = models.all
  .flatMap(({ fields }) => [...fields.values()])
  .filter(({ queryable, definition }) => queryable && definition.type !== 'integer')
  .sort((a, b) => lengthOf(b) - lengthOf(a));

it.each([
  ['emoji', '😀'],
  ['control characters, of six bytes each in JSON', '\u0001'],
])('a cursor with the longest keys, in %s, can be used', (_what, character) => {
  const { encode, decode } = createCursors('test');
  const model = models.get('customers');
  const sort: SortKey[] = byLength
    .slice(0, SORT_KEYS_MAX)
    .map((field) => ({ hops: [], field, descending: true }));
  const position = sort.map(({ field }) => character.repeat(lengthOf(field)));
  const cursor = encode(model, sort, position);
  expect(cursor.length).toBeLessThanOrEqual(CURSOR_TEXT_MAX);
  expect(decode(model, sort, cursor, 'after')).toEqual(position);
});
