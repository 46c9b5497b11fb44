import { errorHelp } from '@florin/contract/error-help/catalogue.ts';
import { errorTable } from '@florin/contract/errors.ts';
import { describe, expect, it } from 'vitest';
import { countWords, splitSentences, WORDS_MAX } from '../../scripts/checks/sentences.ts';

const SENTENCES_MAX = 2;
/** Names in a list, such as "Accepted: id, slug.", count as one word. */
const NAME_LIST = /\w+(?:, `?\w+`?)+/g;

const areShort = (sentences: readonly string[]): boolean =>
  sentences.every((sentence) => countWords(sentence.replace(NAME_LIST, 'names')) <= WORDS_MAX);

const helpByCode = Object.entries(errorHelp).map(([code, help]) => ({ code, ...help }));

it('the catalogue has help for every error code, and for no other', () => {
  expect(Object.keys(errorHelp).toSorted()).toEqual(Object.keys(errorTable).toSorted());
});

describe.each(helpByCode)('the help for $code', ({ title, cause, fix, example }) => {
  it('has plain sentences of at most 25 words', () => {
    const sentences = [title, ...splitSentences(cause), ...splitSentences(fix)];
    expect(sentences.filter((sentence) => !areShort([sentence]))).toEqual([]);
    expect(sentences.length).toBeGreaterThan(2);
    for (const text of [cause, fix]) expect(text).toMatch(/^[A-Z].*\.$/);
  });

  it('has an example detail of at most two sentences of at most 25 words', () => {
    const sentences = splitSentences(example.detail);
    expect(sentences.length, example.detail).toBeLessThanOrEqual(SENTENCES_MAX);
    expect(areShort(sentences), example.detail).toBe(true);
  });
});
