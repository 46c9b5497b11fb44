import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './finding.ts';
import type { ReplacedWord } from './glossary.ts';
import { findingsInText } from './text-rules.ts';

/** English texts of the dashboard, emails, hosted pages and forms. */
export const CATALOGUES = 'packages/*/src/**/{en,i18n/en/*}.json';
const ENTRY = /^\s*"(?:[^"\\]|\\.)+": ("(?:[^"\\]|\\.)*"),?$/;

/** Findings in a file of messages, which has one message a line. */
export const catalogueFindings = (
  root: string,
  file: string,
  replaced: readonly ReplacedWord[],
): Finding[] =>
  readFileSync(join(root, file), 'utf8')
    .split('\n')
    .flatMap((line, at) => {
      const [, json] = ENTRY.exec(line) ?? [];
      const text: string = json ? JSON.parse(json) : '';
      const findings = findingsInText(text, { replaced, needsSubject: false });
      return findings.map(({ rule, advice }) => ({ file, line: at + 1, rule, advice }));
    });
