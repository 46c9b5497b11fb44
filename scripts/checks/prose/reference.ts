import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './finding.ts';
import type { ReplacedWord } from './glossary.ts';
import { lintTexts } from './lint-texts.ts';
import { splitDetail } from './markdown.ts';
import { proseRule } from './markdown-rules.ts';

const FILE = 'docs/openapi.json';
const TEXT = /^\s*"(?:description|summary)": ("(?:[^"\\]|\\.)*"),?$/;

/**
 * Findings in descriptions and summaries of the OpenAPI document, which come from the definitions. Each text counts
 * once, at its first line.
 */
export async function referenceFindings(
  root: string,
  replaced: readonly ReplacedWord[],
): Promise<Finding[]> {
  const lines = readFileSync(join(root, FILE), 'utf8').split('\n');
  const lineByText = new Map(
    lines
      .flatMap((line, at) => {
        const [, json] = TEXT.exec(line) ?? [];
        return json ? [[JSON.parse(json) as string, at + 1] as const] : [];
      })
      .reverse(),
  );
  const strings = Object.fromEntries([...lineByText].map(([text, line]) => [line, text]));
  const results = await lintTexts(strings, {
    config: { default: false, prose: true },
    customRules: proseRule(replaced),
  });
  return results.flatMap(([line, errors]) =>
    errors.map((error) => ({ file: FILE, line: Number(line), ...splitDetail(error) })),
  );
}
