import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../program.ts';
import { CATALOGUES, catalogueFindings } from './catalogues.ts';
import { type Exceptions, findExcesses, lowerExceptions } from './exceptions.ts';
import { type Finding, lineOfFinding } from './finding.ts';
import { replacedWordsIn } from './glossary.ts';
import { DOCUMENTS, GENERATED, markdownFindings } from './markdown.ts';
import { MESSAGES, messageFindings, NO_MESSAGES } from './messages.ts';
import { orphanFindings } from './orphans.ts';
import { referenceFindings } from './reference.ts';
import { navigationFindings } from './site.ts';

const EXCEPTIONS = join(ROOT, 'scripts/checks/prose/exceptions.json');
const EXCLUDED = ['**/node_modules/**', '**/dist/**', ...GENERATED];

/** Findings in all documents, English catalogues, descriptions of the interface and messages of the code. */
export async function proseFindings(): Promise<Finding[]> {
  const replaced = replacedWordsIn(readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8'));
  const filesOf = (pattern: string) => globSync(pattern, { cwd: ROOT, exclude: EXCLUDED }).sort();
  const documents = filesOf(DOCUMENTS);
  const sources = globSync(MESSAGES, { cwd: ROOT, exclude: [...EXCLUDED, ...NO_MESSAGES] }).sort();
  return [
    ...(await markdownFindings(ROOT, documents, replaced)),
    ...orphanFindings(ROOT, documents),
    ...filesOf(CATALOGUES).flatMap((file) => catalogueFindings(ROOT, file, replaced)),
    ...(await referenceFindings(ROOT, replaced)),
    ...sources.flatMap((file) => messageFindings(ROOT, file, replaced)),
    ...navigationFindings(ROOT),
  ];
}

export const readExceptions = (): Exceptions => JSON.parse(readFileSync(EXCEPTIONS, 'utf8'));

/** Problems beyond the exceptions, one a line. */
export const proseProblems = async (): Promise<string[]> =>
  findExcesses(await proseFindings(), readExceptions());

/** With `--record` lowers the exceptions, otherwise prints all findings or those of the paths. */
async function main(args: readonly string[]): Promise<void> {
  const findings = await proseFindings();
  if (args.includes('--record')) {
    const lowered = lowerExceptions(findings, readExceptions());
    writeFileSync(EXCEPTIONS, `${JSON.stringify(lowered, null, 2)}\n`);
    return;
  }
  const chosenFindings = findings.filter(
    ({ file }) => args.length === 0 || args.some((path) => file.startsWith(path)),
  );
  for (const finding of chosenFindings) console.log(lineOfFinding(finding));
  console.log(`${chosenFindings.length} findings.`);
}

if (import.meta.main) await main(process.argv.slice(2));
