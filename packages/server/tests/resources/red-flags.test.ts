import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { newestOf } from '../support/make.ts';
import { describeReads, describeRefusedMethods, errorsOf } from '../support/resource-suite.ts';

const api = useApi();

describe('a red flag', () => {
  describeReads(api, 'red_flags', () => newestOf(api.client, 'red_flags'));
  describeRefusedMethods(api, 'red_flags');

  it.each([
    ['status=cleared', 1],
    ['status=active', 0],
    ['source=edge', 1],
    ['violation=terms', 1],
    ['violation=bram,terms', 1],
  ])('is found by filter %s: %i', async (filter, count) => {
    const { body } = await api.client.get(`/v2/red_flags?filter[${filter.replace('=', ']=')}`);
    expect(body.data).toHaveLength(count);
  });

  it('is not found by internal comments', async () => {
    const answer = await api.client.get('/v2/red_flags?filter[external_metadata]=x');
    expect([answer.status, errorsOf(answer)]).toEqual([
      400,
      [['invalid_filter', 'filter[external_metadata]']],
    ]);
  });

  it('has one mode', async () => {
    expect((await api.live.get('/v2/red_flags')).body.data).toEqual([]);
  });
});
