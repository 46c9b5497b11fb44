import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../program.ts';
import { type Finding, findingsIn } from './comment-rules.ts';
import { replacedWordsIn } from './prose/glossary.ts';

const BUDGET = join(ROOT, 'scripts/checks/comment-budget.json');
const SOURCES = '{packages,docs,e2e,examples,scripts,bench,faults,rehearsals}/**/*.{ts,tsx,mjs}';
const EXCLUDED = [
  '**/node_modules/**',
  '**/dist/**',
  '**/.build/**',
  'packages/webhooks/src/events.ts',
];

/** Allowed number of findings by folder. */
type Budget = Readonly<Record<string, number>>;

/** Findings of all sources, by file. Omits files without findings. */
export function commentFindings(): Map<string, Finding[]> {
  const glossary = readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8');
  const banned = replacedWordsIn(glossary).map(({ word }) => word);
  const files = globSync(SOURCES, { cwd: ROOT, exclude: EXCLUDED }).sort();
  const findingsByFile = files.map((file): [string, Finding[]] => [
    file,
    findingsIn(readFileSync(join(ROOT, file), 'utf8'), banned),
  ]);
  return new Map(findingsByFile.filter(([, findings]) => findings.length > 0));
}

export const readBudget = (): Budget => JSON.parse(readFileSync(BUDGET, 'utf8'));

/**
 * Findings per folder of the budget. A file counts for its innermost listed folder; without one, for its own
 * path.
 */
export function countsOf(findingsByFile: ReadonlyMap<string, Finding[]>, budget: Budget): Budget {
  const folders = Object.keys(budget).sort((a, b) => b.length - a.length);
  const counts = Object.fromEntries(Object.keys(budget).map((folder) => [folder, 0]));
  for (const [file, { length }] of findingsByFile) {
    const folder = folders.find((path) => file.startsWith(`${path}/`)) ?? file;
    counts[folder] = (counts[folder] ?? 0) + length;
  }
  return counts;
}

/** One sentence per folder with more findings than its budget allows. */
export const findExcesses = (counts: Budget, budget: Budget): string[] =>
  Object.entries(counts)
    .filter(([folder, count]) => count > (budget[folder] ?? 0))
    .map(
      ([folder, count]) =>
        `${folder}: ${count} findings in comments, ${budget[folder] ?? 0} allowed. List them: npm run comments -- ${folder}`,
    );

/** Each folder's budget, lowered to its count where that is smaller. */
export const lowerBudget = (counts: Budget, budget: Budget): Budget =>
  Object.fromEntries(
    Object.entries(budget).map(([folder, max]) => [folder, Math.min(max, counts[folder] ?? 0)]),
  );

/** With `--record` lowers the budget, with a path lists its findings, without arguments prints the counts. */
function main([argument]: readonly string[]): void {
  const budget = readBudget();
  const findingsByFile = commentFindings();
  const counts = countsOf(findingsByFile, budget);
  if (argument === '--record') {
    writeFileSync(BUDGET, `${JSON.stringify(lowerBudget(counts, budget), null, 2)}\n`);
    return;
  }
  if (argument === undefined) {
    console.table(counts);
    return;
  }
  for (const [file, findings] of findingsByFile) {
    if (!file.startsWith(argument)) continue;
    for (const { line, message } of findings) console.log(`${file}:${line} ${message}`);
  }
}

if (import.meta.main) main(process.argv.slice(2));
