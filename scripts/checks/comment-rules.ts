import { countWords, splitSentences, vagueOpeningOf, WORDS_MAX } from './sentences.ts';

/** A comment without its markers; neighbouring `//` lines are one comment. */
interface Comment {
  /** First line of the comment, from 1. */
  readonly line: number;
  readonly lines: readonly string[];
  /** Whether the comment documents an exported declaration. */
  readonly isExported: boolean;
}

export interface Finding {
  readonly line: number;
  readonly message: string;
}

const LINES_MAX = 2;
const TEXT = /^\s*(?:\{?\/\*+|\*\/|\*|\/\/)/;

/** Comments on lines of their own. Trailing comments are short notes and not checked. */
function commentsIn(source: string): Comment[] {
  const lines = source.split('\n');
  const comments: Comment[] = [];
  for (let at = 0; at < lines.length; at++) {
    const end = endOf(lines, at);
    if (end === undefined) continue;
    const text = lines.slice(at, end).map(proseOf).filter(Boolean);
    comments.push({
      line: at + 1,
      lines: text,
      isExported: (lines[end] ?? '').startsWith('export '),
    });
    at = end - 1;
  }
  return comments;
}

/** Line after the comment that begins at `from`; undefined if no comment begins there. */
function endOf(lines: readonly string[], from: number): number | undefined {
  const firstLine = lines[from] ?? '';
  if (/^\s*\{?\/\*/.test(firstLine)) {
    const last = lines.findIndex((line, at) => at >= from && line.includes('*/'));
    return last < 0 ? undefined : last + 1;
  }
  if (!/^\s*\/\//.test(firstLine)) return undefined;
  const next = lines.findIndex((line, at) => at > from && !/^\s*\/\//.test(line));
  return next < 0 ? lines.length : next;
}

const proseOf = (line: string): string =>
  line
    .replace(TEXT, '')
    .replace(/\*\/\}?\s*$/, '')
    .trim();

/** Splits a comment into sentences. A code span counts as one word, a list item as a sentence. */
function sentencesOf({ lines }: Comment): string[] {
  const text = lines.join('\n').replaceAll(/`[^`]*`/g, '`code`');
  return text
    .split(/(?:^|\n)(?:[-*] |\d+\. |@\w+ )/)
    .flatMap((part) => splitSentences(part.replaceAll('\n', ' ')));
}

/** Violations of STYLE.md that a program can detect. `banned` are words that the glossary replaces everywhere. */
export function findingsIn(source: string, banned: readonly string[]): Finding[] {
  const bannedPattern = new RegExp(`\\b(?:${banned.join('|')})\\b`, 'i');
  return commentsIn(source).flatMap((comment) => {
    const sentences = sentencesOf(comment);
    const messages = [
      ...sentences.flatMap((sentence) => findBadOpening(sentence) ?? []),
      ...sentences.flatMap((sentence) => findLongSentence(sentence) ?? []),
      ...sentences.flatMap((sentence) => findBannedWord(sentence, bannedPattern) ?? []),
      ...(comment.lines.length > LINES_MAX && !comment.isExported
        ? [`${comment.lines.length} lines; ${LINES_MAX} at most`]
        : []),
    ];
    return messages.map((message) => ({ line: comment.line, message }));
  });
}

function findBadOpening(sentence: string): string | undefined {
  const opening = vagueOpeningOf(sentence);
  return opening && `a sentence begins with "${opening}": name the thing`;
}

function findLongSentence(sentence: string): string | undefined {
  const words = countWords(sentence);
  return words > WORDS_MAX ? `a sentence of ${words} words; ${WORDS_MAX} at most` : undefined;
}

function findBannedWord(sentence: string, bannedPattern: RegExp): string | undefined {
  const [bannedWord] = bannedPattern.exec(sentence) ?? [];
  return bannedWord && `"${bannedWord}": see docs/glossary.md`;
}
