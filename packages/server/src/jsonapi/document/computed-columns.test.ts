import { expect, it } from 'vitest';
import { compileModels } from '../model.ts';
import { parseQuery } from '../parse-query/parse-query.ts';
import { people, shops } from '../testing/shop.ts';
import { createViews, noLinkage } from './view.ts';

const { orders: _, ...relations } = people.relations;
const masks = { pattern: /s\w+$/g, unless: 'consumer.people.update' } as const;
const models = compileModels({
  shops: { ...shops, relations: {} },
  people: { ...people, relations, fields: { ...people.fields, name: { type: 'string', masks } } },
});
const model = models.get('people');

const viewsOf = createViews(undefined, {
  people: {
    columns: ['name'],
    from: ['first', 'last'],
    compute: ({ first = null, last }) => (first === null ? {} : { name: `${first} ${last}` }),
  },
});

const views = (query: string, permissions: ReadonlySet<string> | 'all' = 'all') =>
  viewsOf(parseQuery(models, model, query, 'list'), model, 'https://a', () => true, permissions);
const nameOf = (row: Record<string, string>, permissions?: ReadonlySet<string>) =>
  JSON.parse(views('', permissions)(model).write({ id: '1', ...row }, noLinkage)).attributes.name;

it('a computed column is read by the columns it is made from', () => {
  expect(views('')(model).columns).toEqual(expect.arrayContaining(['name', 'first', 'last']));
  expect(nameOf({ first: 'Ada', last: 'smith' })).toBe('Ada smith');
  expect(nameOf({ name: 'Zoe' })).toBe('Zoe');
});

it('a view that does not show the column does not read them', () => {
  expect(views('fields[people]=email')(model).columns).not.toContain('first');
});

it('a computed text is masked, and counts as a secret', () => {
  expect(nameOf({ first: 'Ada', last: 'smith' }, new Set())).toBe('Ada …');
  const all = views('');
  all(model).write({ id: '1', first: 'Ada', last: 'smith' }, noLinkage);
  expect(all.secret_use.secret).toBe(true);
});
