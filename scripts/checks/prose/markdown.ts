import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration, LintError } from 'markdownlint';
import type { Finding } from './finding.ts';
import type { ReplacedWord } from './glossary.ts';
import { openLibrary } from './library.ts';
import { lintTexts } from './lint-texts.ts';
import { markdownRules } from './markdown-rules.ts';

/** Documents for people. */
export const DOCUMENTS =
  '{*,{docs,examples,e2e,bench,faults,rehearsals}/*,docs/{adr,pages}/**/*,{packages,examples}/*/*}.md';
/** Written by a program. */
export const GENERATED = ['docs/errors.md'];

/** Rules of markdownlint that are on, with the text to write instead. */
const ADVICE: Readonly<Record<string, string>> = {
  'heading-increment': 'write the next smaller heading',
  'no-trailing-spaces': 'delete the spaces',
  'no-multiple-blanks': 'leave one empty line',
  'line-length': 'break the line at 120 characters',
  'no-duplicate-heading': 'write another heading',
  'single-title': 'write one heading with a single #',
  'no-bare-urls': 'write [text](address)',
  'fenced-code-language': 'write a language after ```',
  'no-empty-links': 'write an address',
  'no-alt-text': 'describe the picture: ![text](address)',
  'single-trailing-newline': 'end the file with one line break',
  'reference-links-images': 'define the reference',
};
const BASE: Configuration = {
  default: false,
  prose: true,
  'dead-link': true,
  'dead-path': true,
  document: true,
};
const CONFIG: Configuration = {
  ...BASE,
  ...Object.fromEntries(Object.keys(ADVICE).map((name) => [name, true])),
  'line-length': { line_length: 120, tables: false, code_blocks: false },
  'no-duplicate-heading': { siblings_only: true },
};

/** Findings in Markdown files, by markdownlint with rules of STYLE.md. */
export async function markdownFindings(
  root: string,
  files: readonly string[],
  replaced: readonly ReplacedWord[],
): Promise<Finding[]> {
  const strings = Object.fromEntries(
    files.map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  );
  const customRules = markdownRules(openLibrary(root), replaced);
  const results = await lintTexts(strings, { config: CONFIG, customRules });
  return results.flatMap(([file, errors]) =>
    errors.map((error) => ({ file, line: error.lineNumber, ...describe(error) })),
  );
}

/** Rule and advice of a finding. Rules of this folder put their name before their advice. */
export function splitDetail({ errorDetail }: LintError) {
  const [, rule = '', advice = ''] = /^([\w-]+): (.*)$/s.exec(errorDetail ?? '') ?? [];
  return { rule, advice };
}

function describe(error: LintError) {
  const { ruleNames, ruleDescription, errorDetail } = error;
  const advice = ruleNames.map((name) => ADVICE[name]).find(Boolean);
  if (!advice) return splitDetail(error);
  const problem = errorDetail ? `${ruleDescription} (${errorDetail})` : ruleDescription;
  return { rule: ruleNames.at(-1) ?? '', advice: `${problem}: ${advice}` };
}
