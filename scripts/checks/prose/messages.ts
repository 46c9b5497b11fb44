import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { splitSentences } from '../sentences.ts';
import type { Finding } from './finding.ts';
import type { ReplacedWord } from './glossary.ts';
import { findingsInText } from './text-rules.ts';

/** Sources whose strings people read: details of errors, output of commands, notes of health checks. */
export const MESSAGES = 'packages/{server,vault,cli}/src/**/*.ts';
/** Tests, and texts that other checks read. */
export const NO_MESSAGES = ['**/*.test.ts', '**/openapi/**', '**/migrations/**'];

/** Details of errors are short, as programs show them in one line. */
const DETAILS = /^packages\/server\/src\/(?:features|http|jsonapi)\/(?!sandbox\/own-network)/;
const SENTENCES_MAX = 2;
const DETAIL_CHARACTERS_MAX = 220;

/** A text starts with a capital or a value, has several words, and ends as a sentence. */
const MESSAGE = /^[A-Z§][^\n]* [^\n]*[.?]$/;
/** Stands for a value that a template inserts. */
const PLACEHOLDER = '§';

interface Message {
  readonly text: string;
  /** Offset in the source. */
  readonly start: number;
}

type Node = Readonly<Record<string, unknown>> & { readonly type?: string; readonly start?: number };

/** Findings in the messages of a source file. */
export function messageFindings(
  root: string,
  file: string,
  replaced: readonly ReplacedWord[],
): Finding[] {
  const source = readFileSync(join(root, file), 'utf8');
  const isDetail = DETAILS.test(file);
  return messagesIn(file, source).flatMap(({ text, start }) => {
    const line = source.slice(0, start).split('\n').length;
    const findings = findingsInText(text, { replaced, needsSubject: true });
    return [...findings, ...(isDetail ? lengthFindings(text) : [])].map(({ rule, advice }) => ({
      file,
      line,
      rule,
      advice,
    }));
  });
}

function lengthFindings(text: string): Pick<Finding, 'rule' | 'advice'>[] {
  const count = splitSentences(text).length;
  if (count <= SENTENCES_MAX && text.length <= DETAIL_CHARACTERS_MAX) return [];
  const size = `${count} sentences and ${text.length} characters`;
  const limits = `${SENTENCES_MAX} and ${DETAIL_CHARACTERS_MAX} at most`;
  return [
    {
      rule: 'detail-length',
      advice: `${size}, ${limits}: leave out what the next step does not need`,
    },
  ];
}

/** Strings and templates of a source that are whole sentences. */
export function messagesIn(file: string, source: string): readonly Message[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  return textsBelow(program as unknown as Node).filter(({ text }) => MESSAGE.test(text));
}

function textsBelow(node: Node): Message[] {
  const text = textOf(node);
  const own = text === undefined ? [] : [{ text, start: node.start ?? 0 }];
  const children = Object.values(node).flat().filter(isNode);
  return [...own, ...children.flatMap(textsBelow)];
}

function textOf({ type, value, quasis }: Node): string | undefined {
  if (type === 'Literal' && typeof value === 'string') return value;
  if (type !== 'TemplateLiteral') return undefined;
  const parts = quasis as readonly { readonly value: { readonly cooked: string } }[];
  return parts.map((part) => part.value.cooked).join(PLACEHOLDER);
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;
