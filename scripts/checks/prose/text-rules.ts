import { countWords, splitSentences, vagueOpeningOf, WORDS_MAX } from '../sentences.ts';
import type { ReplacedWord } from './glossary.ts';

/** A violation within a text. */
export interface TextFinding {
  /** Position of its sentence in the text. */
  readonly offset: number;
  readonly rule: string;
  readonly advice: string;
}

export interface TextOptions {
  readonly replaced: readonly ReplacedWord[];
  /** Whether sentences must begin with their subject. Headings, table cells and labels need not. */
  readonly needsSubject: boolean;
}

const EXCERPT_LENGTH = 40;

/** Sentences that are too long or begin with a pronoun, and words that the glossary replaces. */
export function findingsInText(text: string, options: TextOptions): TextFinding[] {
  let offset = 0;
  return splitSentences(text).flatMap((sentence) => {
    offset = text.indexOf(sentence, offset);
    return sentenceFindings(sentence, options).map((finding) => ({ ...finding, offset }));
  });
}

function sentenceFindings(
  sentence: string,
  { replaced, needsSubject }: TextOptions,
): Omit<TextFinding, 'offset'>[] {
  const words = countWords(sentence);
  // A quoted word is spoken about, not used.
  const withoutQuotes = sentence.replaceAll(/"[^"]*"/g, '""');
  const opening = needsSubject ? vagueOpeningOf(sentence) : undefined;
  return [
    ...(words > WORDS_MAX
      ? [
          {
            rule: 'sentence-length',
            advice: `${words} words, ${WORDS_MAX} at most: write two sentences, or a list. "${excerptOf(sentence)}"`,
          },
        ]
      : []),
    ...(opening
      ? [
          {
            rule: 'sentence-opening',
            advice: `begins with "${opening}": write the thing's name. "${excerptOf(sentence)}"`,
          },
        ]
      : []),
    ...replaced
      .filter(({ word }) => wordPattern(word).test(withoutQuotes))
      .map(({ word, use }) => ({ rule: 'glossary', advice: `"${word}": write ${use}` })),
  ];
}

const patterns = new Map<string, RegExp>();

/** Matches the word or phrase, in any case. */
function wordPattern(word: string): RegExp {
  const pattern = patterns.get(word) ?? new RegExp(`\\b${word.replaceAll(' ', '\\s+')}\\b`, 'i');
  patterns.set(word, pattern);
  return pattern;
}

const excerptOf = (sentence: string): string =>
  sentence.length > EXCERPT_LENGTH ? `${sentence.slice(0, EXCERPT_LENGTH).trimEnd()}…` : sentence;
