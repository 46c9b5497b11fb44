import { errorHelp } from '@florin/contract/error-help/catalogue.ts';
import { errorTable } from '@florin/contract/errors.ts';
import { describe, expect, it } from 'vitest';
import { countWords, splitSentences, WORDS_MAX } from '../../scripts/checks/sentences.ts';

const SENTENCES_MAX = 2;
/** Names in a list, such as "Known here: id, slug.", count as one word. */
const NAME_LIST = /\w+(?:, `?\w+`?)+/g;

/** Details of the server that still break the rules. Remove a code when its detail is rewritten. */
const LONG_DETAILS: ReadonlySet<string> = new Set([
  'invalid_fields',
  'invalid_filter',
  'invalid_include',
  'invalid_sort',
  'merchant_banned',
  'merchant_quarantined',
  'unknown_attribute',
  'unknown_relationship',
]);

const areShort = (sentences: readonly string[]): boolean =>
  sentences.every((sentence) => countWords(sentence.replace(NAME_LIST, 'names')) <= WORDS_MAX);

const helpByCode = Object.entries(errorHelp).map(([code, help]) => ({ code, ...help }));

it('the catalogue has help for every error code, and for no other', () => {
  expect(Object.keys(errorHelp).toSorted()).toEqual(Object.keys(errorTable).toSorted());
});

describe.each(helpByCode)('the help for $code', ({ code, title, cause, fix, example }) => {
  it('has plain sentences of at most 25 words', () => {
    const sentences = [title, ...splitSentences(cause), ...splitSentences(fix)];
    expect(sentences.filter((sentence) => !areShort([sentence]))).toEqual([]);
    expect(sentences.length).toBeGreaterThan(2);
    for (const text of [cause, fix]) expect(text).toMatch(/^[A-Z].*\.$/);
  });

  it('has an example detail of at most two sentences of at most 25 words', () => {
    const sentences = splitSentences(example.detail);
    const isPlain = sentences.length <= SENTENCES_MAX && areShort(sentences);
    expect(isPlain, example.detail).toBe(!LONG_DETAILS.has(code));
  });
});
