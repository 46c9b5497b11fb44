import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { Finding } from './finding.ts';

const LINK = /\]\(([^)#\s]+)/g;
/** The site lists its own pages, and people open these documents without a link. */
const ENTRIES = /^(?:docs\/pages\/.*|README\.md|CHANGELOG\.md)$/;

/** Documents that no other document links. A link to a folder reaches its README. */
export function orphanFindings(root: string, files: readonly string[]): Finding[] {
  const linked = new Set(files.flatMap((file) => targetsIn(root, file)));
  const isReached = (file: string): boolean =>
    linked.has(file) || (basename(file) === 'README.md' && linked.has(dirname(file)));
  return files
    .filter((file) => !ENTRIES.test(file) && !isReached(file))
    .map((file) => ({
      file,
      line: 1,
      rule: 'orphan',
      advice: `no document links it: link it from ${dirname(file) === '.' ? 'README.md' : 'a README above it'}`,
    }));
}

/** Paths of other files that a file links. */
const targetsIn = (root: string, file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(LINK)]
    .map(([, path = '']) => relative(root, join(root, dirname(file), path)))
    .filter((target) => target !== file);
