import { resources } from '@florin/contract/resources/index.ts';
import { compileModels } from '@florin/server/jsonapi/model.ts';
import { parseQuery } from '@florin/server/jsonapi/parse-query/parse-query.ts';
import { describe, expect, it } from 'vitest';
import { listQueriesOf } from './list-queries.ts';
import { renderLists } from './slowest-lists.ts';

const models = compileModels(resources);
const payments = models.get('payment_demands');
const queries = await listQueriesOf('payment_demands', async () => ({ description: 'An order' }));

describe('the lists of payments', () => {
  it('have every filter and every sort once, and the interface accepts each', () => {
    expect(new Set(queries).size).toBe(queries.length);
    for (const query of queries)
      expect(parseQuery(models, payments, query, 'list').parameters).toHaveLength(1);
  });

  it('compare with a value of a record and with one that no record has', () => {
    const filters = ['ne', 'like'].flatMap((operator) => [
      `filter[description][${operator}]=An%20order`,
      `filter[description][${operator}]=nothing%40x.example`,
    ]);
    expect(queries).toEqual(expect.arrayContaining(filters));
    expect(queries).toContain('filter[payer.email][null]=true');
  });
});

it('the report names slow, failed and refused lists', () => {
  const detail = 'The query took too long.';
  const lists = [
    { query: 'sort=amount_cents', ms: 12, status: 200 },
    { query: 'filter[payer][null]=true', ms: 2_010, status: 400, detail },
    { query: 'sort=-description', ms: 4, status: 400, detail: 'No index', without_index: ['sort'] },
  ];
  expect(renderLists(lists).split('\n')).toEqual([
    '3 lists with a filter or a sort: 1 answered, 1 refused since an index is missing, 1 timed out or failed',
    '',
    'slowest                     ms  status',
    'filter[payer][null]=true  2010     400',
    'sort=amount_cents           12     200',
    'sort=-description            4     400',
    '',
    'failed                      ms  status',
    'filter[payer][null]=true  2010     400',
    '',
    'no index serves: sort=-description',
  ]);
});
