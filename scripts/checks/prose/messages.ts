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

/** A text starts with a name, a word or a value, has several words, and ends as a sentence. */
const MESSAGE = /^[A-Za-z`§][^\n]* [^\n]*[.?]$/;
/** A detail names the attribute: programs show it without the pointer. */
const VAGUE_DETAIL = /^This (?:must|is|has|was|may|cannot|contains|takes|took)\b/;
/** Stands for a value that a template inserts. */
const PLACEHOLDER = '§';

interface Message {
  readonly text: string;
  /** Offset in the source. */
  readonly start: number;
  readonly isDetail: boolean;
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
    return [...findings, ...(isDetail ? detailFindings(text) : [])].map(({ rule, advice }) => ({
      file,
      line,
      rule,
      advice,
    }));
  });
}

type MessageFinding = Pick<Finding, 'rule' | 'advice'>;

const detailFindings = (text: string): MessageFinding[] => [
  ...lengthFindings(text),
  ...(VAGUE_DETAIL.test(text)
    ? [{ rule: 'detail-subject', advice: 'begins with "This": name the attribute or the thing' }]
    : []),
  ...(/[.§]$/.test(text)
    ? []
    : [{ rule: 'detail-stop', advice: `"${text}" ends without a full stop` }]),
];

function lengthFindings(text: string): MessageFinding[] {
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

/** Strings and templates of a source that are whole sentences, and each written detail of an error. */
export function messagesIn(file: string, source: string): readonly Message[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  return textsBelow(program as unknown as Node).filter(
    ({ text, isDetail }) => isDetail || MESSAGE.test(text),
  );
}

/** Texts of a syntax tree. `isDetail`: whether the position of the node makes it the detail of an error. */
function textsBelow(node: Node, isDetail = false): Message[] {
  const text = textOf(node);
  const own = text === undefined ? [] : [{ text, start: node.start ?? 0, isDetail }];
  const detail = detailOf(node);
  const children = Object.values(node).flat().filter(isNode);
  const isChoice = isDetail && node.type === 'ConditionalExpression';
  return [
    ...own,
    ...children.flatMap((child) =>
      textsBelow(child, child === detail || (isChoice && child !== node.test)),
    ),
  ];
}

/** The second argument of `problem()`, and the value of a property `detail`. */
function detailOf({ type, callee, arguments: args, key, value }: Node): unknown {
  if (type === 'CallExpression' && (callee as Node).name === 'problem') {
    return (args as readonly Node[])[1];
  }
  return type === 'Property' && (key as Node).name === 'detail' ? value : undefined;
}

function textOf({ type, value, quasis }: Node): string | undefined {
  if (type === 'Literal' && typeof value === 'string') return value;
  if (type !== 'TemplateLiteral') return undefined;
  const parts = quasis as readonly { readonly value: { readonly cooked: string } }[];
  return parts.map((part) => part.value.cooked).join(PLACEHOLDER);
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;
