import { type Finding, lineOfFinding } from './finding.ts';

/** Findings that a file may still have. The numbers only go down. */
export type Exceptions = Readonly<Record<string, number>>;

/** Lines about files with more findings than allowed: all findings, or the count where some are allowed. */
export const findExcesses = (findings: readonly Finding[], exceptions: Exceptions): string[] =>
  [...Map.groupBy(findings, ({ file }) => file)].flatMap(([file, all]) => {
    const max = exceptions[file] ?? 0;
    if (all.length <= max) return [];
    if (max === 0) return all.map(lineOfFinding);
    return [`${file}: ${all.length} findings, ${max} allowed. List them: npm run prose -- ${file}`];
  });

/** Exceptions, lowered to the present findings. Leaves out files without findings. */
export function lowerExceptions(findings: readonly Finding[], exceptions: Exceptions): Exceptions {
  const counts = Map.groupBy(findings, ({ file }) => file);
  const lowered = Object.entries(exceptions).map(
    ([file, max]) => [file, Math.min(max, counts.get(file)?.length ?? 0)] as const,
  );
  return Object.fromEntries(lowered.filter(([, max]) => max > 0));
}
