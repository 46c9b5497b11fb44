import { describe, expect, it } from 'vitest';
import { findingsIn } from './comment-rules.ts';
import { countsOf, findExcesses, lowerBudget } from './comments.ts';

const BANNED = ['world', 'under way'];
const messagesIn = (...lines: string[]) =>
  findingsIn(lines.join('\n'), BANNED).map(({ message }) => message);
const sentenceOf = (count: number) =>
  `Locks ${Array(count - 1)
    .fill('rows')
    .join(' ')}.`;

describe('a comment', () => {
  it.each([
    'One that is blocked.',
    'What it costs.',
    'Whoever asks.',
    'Of a hold.',
    'It is gone.',
    'Those are kept.',
    'Locks the row. That keeps others out.',
  ])('is reported if a sentence begins without its subject: %s', (text) => {
    expect(messagesIn(`/** ${text} */`)).toEqual([expect.stringMatching(/begins with/)]);
    expect(messagesIn(`  // ${text}`)).toEqual([expect.stringMatching(/begins with/)]);
  });

  it.each([
    'One row per vault.',
    'Italics.',
    'Whether it failed.',
    'Locks the row (it is shared).',
  ])('passes if the subject comes first: %s', (text) =>
    expect(messagesIn(`// ${text}`)).toEqual([]),
  );

  it('is reported if a sentence has more than 25 words', () => {
    expect(messagesIn(`// ${sentenceOf(25)}`)).toEqual([]);
    expect(messagesIn(`// ${sentenceOf(20)} ${sentenceOf(20)}`)).toEqual([]);
    expect(messagesIn(`// ${sentenceOf(26)}`)).toEqual(['a sentence of 26 words; 25 at most']);
  });

  it('has sentences that go over lines, and list items that are sentences of their own', () => {
    expect(
      messagesIn(
        '/**',
        ` * ${sentenceOf(20).slice(0, -1)}`,
        ' * of six more words right here.',
        ' */',
      ),
    ).toEqual(['a sentence of 26 words; 25 at most']);
    expect(messagesIn('/**', ` * - ${sentenceOf(20)}`, ` * - ${sentenceOf(20)}`, ' */')).toEqual(
      [],
    );
  });

  it('is reported if it has more than two lines and documents no export', () => {
    const comment = ['/**', ' * Locks.', ' * Reads.', ' * Writes.', ' */'];
    expect(messagesIn(...comment, 'const a = 1;')).toEqual(['3 lines; 2 at most']);
    expect(messagesIn(...comment, 'export const a = 1;')).toEqual([]);
    expect(messagesIn('// Locks.', '// Reads.', '// Writes.')).toEqual(['3 lines; 2 at most']);
  });

  it('is reported if it has a word that the glossary replaces, except in code', () => {
    expect(messagesIn('/** The clock of a World. */')).toEqual(['"World": see docs/glossary.md']);
    expect(messagesIn('/** The clock of `world`, worldwide. */')).toEqual([]);
  });

  it('is found by its line; code is not', () => {
    const source = "const a = 'What // of';\n\n  // What it is.\nconst b = 'It is.';";
    expect(findingsIn(source, BANNED)).toEqual([{ line: 3, message: expect.any(String) }]);
  });
});

describe('the budget', () => {
  const finding = { line: 1, message: 'long' };
  const findingsByFile = new Map([
    ['packages/a/src/x.ts', [finding, finding]],
    ['packages/a/tests/x.ts', [finding]],
    ['packages/b/x.ts', [finding]],
  ]);

  it('counts a file under its longest matching path', () => {
    expect(
      countsOf(findingsByFile, { 'packages/a': 0, 'packages/a/src': 0, 'packages/b': 0 }),
    ).toEqual({
      'packages/a': 1,
      'packages/a/src': 2,
      'packages/b': 1,
    });
  });

  it('is exceeded by one more finding, also of a file in no folder of it', () => {
    const budget = { 'packages/a': 2 };
    expect(findExcesses(countsOf(findingsByFile, budget), budget)).toEqual([
      expect.stringMatching(/^packages\/a: 3 findings in comments, 2 allowed\./),
      expect.stringMatching(/^packages\/b\/x\.ts: 1 findings in comments, 0 allowed\./),
    ]);
    expect(findExcesses({ 'packages/a': 2 }, budget)).toEqual([]);
  });

  it('only goes down', () => {
    expect(lowerBudget({ a: 1, b: 3 }, { a: 2, b: 2, c: 1 })).toEqual({ a: 1, b: 2, c: 0 });
  });
});
