import type { MicromarkToken, Rule } from 'markdownlint';
import { blocksOf } from './blocks.ts';
import { decisionProblem, linesMax } from './documents.ts';
import type { ReplacedWord } from './glossary.ts';
import type { Library } from './library.ts';
import { findingsInText } from './text-rules.ts';

/** Rules of STYLE.md for Markdown, beside those of markdownlint. */
export const markdownRules = (library: Library, replaced: readonly ReplacedWord[]): Rule[] => [
  proseRule(replaced),
  linkRule(library),
  pathRule(library),
  documentRule(),
];

export const proseRule = (replaced: readonly ReplacedWord[]): Rule => ({
  names: ['prose'],
  description: 'Sentences and words follow STYLE.md',
  tags: ['florin'],
  parser: 'micromark',
  function({ parsers }, onError) {
    for (const block of blocksOf(parsers.micromark.tokens)) {
      const needsSubject = block.kind === 'paragraph';
      for (const finding of findingsInText(block.text, { replaced, needsSubject })) {
        onError({
          lineNumber: block.lineAt(finding.offset),
          detail: `${finding.rule}: ${finding.advice}`,
        });
      }
    }
  },
});

const linkRule = (library: Library): Rule => ({
  names: ['dead-link'],
  description: 'Links lead to files and headings that exist',
  tags: ['florin'],
  parser: 'micromark',
  function({ name, parsers }, onError) {
    for (const token of descendantsOf(parsers.micromark.tokens)) {
      if (!/^(?:resource|definition)DestinationString$/.test(token.type)) continue;
      const problem = library.linkProblem(name, token.text);
      if (problem) onError({ lineNumber: token.startLine, detail: `dead-link: ${problem}` });
    }
  },
});

const pathRule = (library: Library): Rule => ({
  names: ['dead-path'],
  description: 'Source files named in text exist',
  tags: ['florin'],
  parser: 'micromark',
  function({ name, parsers }, onError) {
    for (const { type, text, startLine } of descendantsOf(parsers.micromark.tokens)) {
      if (type !== 'codeTextData') continue;
      const problem = library.pathProblem(name, text);
      if (problem) onError({ lineNumber: startLine, detail: `dead-path: ${problem}` });
    }
  },
});

const documentRule = (): Rule => ({
  names: ['document'],
  description: 'Documents keep their length and format',
  tags: ['florin'],
  parser: 'none',
  function({ name, lines }, onError) {
    const max = linesMax(name);
    const count = lines.at(-1) === '' ? lines.length - 1 : lines.length;
    if (count > max) {
      const detail = `document-length: ${count} lines, ${max} at most: move details to another page`;
      onError({ lineNumber: max + 1, detail });
    }
    const problem = decisionProblem(name, lines);
    if (problem) onError({ lineNumber: 1, detail: `decision-format: ${problem}` });
  },
});

const descendantsOf = (tokens: readonly MicromarkToken[]): MicromarkToken[] =>
  tokens.flatMap((token) => [token, ...descendantsOf(token.children)]);
