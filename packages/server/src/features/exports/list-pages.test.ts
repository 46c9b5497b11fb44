import { expect, it } from 'vitest';
import type { RequestContext } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import type { ListSearch } from '../../jsonapi/reading/list-page.ts';
import type { Reader } from '../../jsonapi/reading/read.ts';
import { readPages } from './list-pages.ts';

const search: ListSearch = {
  path: '/found',
  parameter: { name: 'q', value: 'a text' },
  restriction: { tested: [2, 4], matches: () => 'true' },
  meta: { is_complete: true },
};

/** A list that is complete only for a caller who does not read all of its pages. */
const reader = {
  async listRecords(_ctx: unknown, _model: unknown, _query: string, { restriction }: ListSearch) {
    const meta = { search: { is_complete: !restriction.reads_all } };
    return { body: Buffer.from(JSON.stringify({ data: [{}], links: {}, meta })) };
  },
} as unknown as Reader;

it('refuses a search that could lack records of a later page, before its first page', async () => {
  const query = new URLSearchParams();
  const [ctx, model] = [{} as RequestContext, {} as Model];
  const pages = readPages({ reader, ctx, model, query, search });
  await expect(pages.next()).rejects.toMatchObject({
    problems: [{ code: 'query_too_costly', source: { parameter: 'q' } }],
  });
});
