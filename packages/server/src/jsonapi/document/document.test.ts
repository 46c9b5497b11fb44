import { describe, expect, it } from 'vitest';
import { documentOf, withCursor } from './document.ts';

const parse = (parts: Parameters<typeof documentOf>[0]) => JSON.parse(documentOf(parts).toString());

describe('documentOf', () => {
  const head = { jsonapi: { version: '1.1' }, links: { self: 'x' }, meta: {} };
  const links = { self: 'x' };

  it.each([
    [{ data: 'null' }, { data: null }],
    [
      { data: '{"id":"1"}', included: [] },
      { data: { id: '1' }, included: [] },
    ],
    [{ data: [] }, { data: [] }],
    [
      { data: ['1', '2'], included: ['3'] },
      { data: [1, 2], included: [3] },
    ],
    [
      { data: [], meta: { total: 1 } },
      { data: [], meta: { total: 1 } },
    ],
  ])('writes %j', (parts, expected) => {
    expect(parse({ links, ...parts })).toEqual({ ...head, ...expected });
  });

  it('names its profile', () => {
    expect(parse({ links, data: [], profile: 'https://x.example/p' }).jsonapi).toEqual({
      version: '1.1',
      profile: ['https://x.example/p'],
    });
  });

  it('writes documents larger than its buffer, and small ones after them', () => {
    const record = JSON.stringify('é💶x'.repeat(100_000));
    const largeDocument = parse({ links, data: Array.from({ length: 10 }, () => record) });
    expect(largeDocument.data).toEqual(Array.from({ length: 10 }, () => JSON.parse(record)));
    expect(parse({ links, data: ['1'] }).data).toEqual([1]);
  });
});

describe('withCursor', () => {
  const links = { self: 'x' };

  it.each([
    [{ id: '1', links }, { page: { cursor: 'c' } }],
    [
      { id: '1', links, meta: { outcome: 'unknown' } },
      { outcome: 'unknown', page: { cursor: 'c' } },
    ],
  ])('adds to %j its cursor', (record, meta) => {
    const text = withCursor(JSON.stringify(record), 'c', 'meta' in record);
    expect(JSON.parse(text)).toEqual({ ...record, meta });
  });
});
