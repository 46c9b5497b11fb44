import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { detailTemplates } from '@florin/contract/error-details/templates.ts';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const SOURCES = ['packages/server/src/**/*.ts', 'packages/contract/src/**/*.ts'];
const NO_SOURCES = /\.test\.ts$|error-details|error-help/;

/** Leaves one placeholder where values are inserted, whatever their names. */
const plain = (text: string): string => text.replaceAll(/(?:\{[^{}]*\})+/g, '{}');

/** Texts of a source file, with `{}` for each inserted value. */
function textsOf(file: string): readonly string[] {
  const texts: string[] = [];
  const { program } = parseSync(file, readFileSync(join(ROOT, file), 'utf8'));
  new Visitor({
    Literal: ({ value }) => void (typeof value === 'string' && texts.push(value)),
    TemplateLiteral: ({ quasis }) =>
      void texts.push(plain(quasis.map(({ value }) => value.cooked).join('{}'))),
  }).visit(program);
  return texts;
}

const files = globSync(SOURCES, { cwd: ROOT }).filter((file) => !NO_SOURCES.test(file));
const written = new Set(files.flatMap(textsOf));
/** Details whose first word is the name of a field. */
const ofOneField = new Set([...written].map((text) => text.replace(/^[a-z_]+ /, '{} ')));

/** Whether the server writes a detail, from one text or from a subject, a predicate and a full stop. */
function isWritten(template: string): boolean {
  const detail = plain(template);
  if (written.has(detail) || ofOneField.has(detail)) return true;
  const [, predicate = ''] = /^\{\} (.+)\.$/.exec(detail) ?? [];
  const withHint = `${predicate.replace(/, such as \{\}$/, '')}{}`;
  return [predicate, `${predicate}.`, withHint].some((it) => written.has(it)) || isJoined(detail);
}

/** Whether each sentence of a detail is a text of the server. */
function isJoined(detail: string): boolean {
  const sentences = detail.split(/(?<=\.) /);
  return sentences.length > 1 && sentences.every((sentence) => written.has(sentence));
}

it.each(Object.entries(detailTemplates))('the server writes the detail %s', (_name, template) => {
  expect(isWritten(template)).toBe(true);
});
