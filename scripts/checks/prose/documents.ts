/** Longest documents, in lines, by a pattern of their paths. */
const LINES_MAX: readonly (readonly [RegExp, number])[] = [
  [/^(?:README|ARCHITECTURE)\.md$/, 150],
  [/^(?:packages\/[^/]+|docs|e2e|bench|faults|examples)\/README\.md$/, 30],
  [/^docs\/adr\/\d/, 60],
];
const DECISION_PARTS = ['Context', 'Decision', 'Consequences', 'Alternatives', 'Enforced by'];

export const linesMax = (file: string): number =>
  LINES_MAX.find(([pattern]) => pattern.test(file))?.[1] ?? Number.POSITIVE_INFINITY;

/** Problem of a decision record's format; undefined for a good one and for other files. */
export function decisionProblem(file: string, lines: readonly string[]): string | undefined {
  const [, number] = /^docs\/adr\/(\d+)-/.exec(file) ?? [];
  if (number === undefined) return undefined;
  const title = `# ${Number(number)}. `;
  if (!lines[0]?.startsWith(title)) return `write "${title}…" in the first line`;
  const headings = lines.filter((line) => line.startsWith('## ')).map((line) => line.slice(3));
  return headings.join() === DECISION_PARTS.join()
    ? undefined
    : `write these headings, in this order: ${DECISION_PARTS.map((part) => `## ${part}`).join(', ')}`;
}
