import type { ProblemError } from '@florin/contract/errors.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entityTag, matchesTag, parseIfMatch, requireMatch, versionOf } from './etag.ts';

const row = { updated_at: '2026-11-21 03:44:00.1+00', created_at: '2026-11-20 03:44:00+00' };
const sameRow = { updated_at: '2026-11-21T03:44:00.100000Z' };
const laterRow = { updated_at: '2026-11-21T03:44:00.100001Z' };
const body = Buffer.from('{"data":null}');
const tag = entityTag(body, versionOf(row));

const codeOf = (work: () => unknown): string | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as ProblemError).problems[0]?.code;
  }
};
const refusalOf = (header: string | undefined, current: typeof sameRow): string | undefined =>
  codeOf(() => requireMatch(parseIfMatch(header), current));

describe('a version', () => {
  it('is the instant to the microsecond, however it is written', () => {
    expect(versionOf(row)).toBe(versionOf(sameRow));
    expect(versionOf(laterRow)).not.toBe(versionOf(sameRow));
    expect(versionOf({ created_at: row.created_at })).toBeDefined();
    expect(versionOf({})).toBeUndefined();
  });
});

describe('an entity tag', () => {
  it('is strong for a record and weak for all else', () => {
    expect(tag).toMatch(/^"\w+\.\w+-\w+"$/);
    expect(entityTag(body, undefined)).toMatch(/^W\/"\w+-\w+"$/);
  });

  it('differs for every changed byte of the document', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 200 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (bytes, at, change) => {
          const changedBytes = Buffer.from(bytes);
          const index = at % bytes.length;
          changedBytes[index] = (changedBytes[index] as number) ^ change;
          expect(entityTag(changedBytes, 'v')).not.toBe(entityTag(Buffer.from(bytes), 'v'));
        },
      ),
    );
  });
});

describe('If-None-Match', () => {
  it.each([
    [undefined, false],
    ['', false],
    ['*', true],
    [tag, true],
    [`W/${tag}`, true],
    [`"a", ${tag} ,W/"b"`, true],
    ['"a", "b"', false],
    [tag.slice(1, -1), false],
    [`${tag} ${tag}`, false],
  ])('%s: %s', (header, held) => {
    expect(matchesTag(header, tag)).toBe(held);
  });
});

describe('If-Match', () => {
  it.each([
    [undefined, undefined],
    ['*', undefined],
    [tag, undefined],
    [entityTag(Buffer.from('other fields'), versionOf(sameRow)), undefined],
    [`"a.b", ${tag}`, undefined],
    [`W/${tag}`, 'stale_record'],
    [entityTag(body, undefined), 'stale_record'],
    ['""', 'stale_record'],
    ['"."', 'stale_record'],
    ['', 'invalid_value'],
    ['x', 'invalid_value'],
    [`${tag},, x`, 'invalid_value'],
  ])('%s: %s', (header, code) => {
    expect(refusalOf(header, sameRow)).toBe(code);
    if (header !== undefined && header !== '*')
      expect(refusalOf(header, laterRow)).toBe(code ?? 'stale_record');
  });

  it('never matches a record without a version by a tag without one', () => {
    expect(codeOf(() => requireMatch(parseIfMatch('"."'), {}))).toBe('stale_record');
  });
});
