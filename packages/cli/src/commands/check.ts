import { wholeEnvironment } from '../config/env.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { type Gap, partOf, type Role, roles } from '../production/gap.ts';
import { gapsOf } from '../production/gaps.ts';
import { notesOf } from '../production/notes.ts';
import { readFacts } from '../production/read-facts.ts';

export const CHECK_USAGE = `       npm run florin -- check server | api | worker | router | vault
           lists every gap between this environment and production, with its fix; changes nothing`;

/** Lists the gaps of a role in this environment. Resolves with the exit code: 1 if there are gaps. */
export async function check(words: string[], print: (text: string) => void): Promise<number> {
  const role = parseRole(words, CHECK_USAGE);
  const { gaps, notes } = await findGaps(role);
  print(gaps.length > 0 ? renderGaps(role, gaps) : `No gaps: the ${role} can run in production.`);
  for (const note of notes) print(note);
  return gaps.length > 0 ? 1 : 0;
}

export interface Findings {
  readonly gaps: readonly Gap[];
  /** Sentences about what works, but could work better. */
  readonly notes: readonly string[];
}

/** Gaps and notes of a role in this environment. */
export async function findGaps(role: Role): Promise<Findings> {
  const facts = await readFacts(partOf(role), wholeEnvironment());
  return { gaps: gapsOf(role, facts), notes: notesOf(role, facts) };
}

/** Parses the only word of a command: a role. Throws `PlainFailure` with the usage. */
export function parseRole(words: readonly string[], usage: string): Role {
  const role = roles.find((name) => name === words[0]);
  if (role && words.length === 1) return role;
  throw new PlainFailure(`Usage:\n${usage}`);
}

/** The gaps as lines, a gap each. */
export const renderGaps = (role: Role, gaps: readonly Gap[]): string =>
  [
    `The ${role} ${verdictOn(gaps)} ${gaps.length} ${gaps.length === 1 ? 'gap' : 'gaps'}:`,
    ...gaps.map(({ problem, fix }) => `  - ${problem} ${fix}`),
  ].join('\n');

const verdictOn = (gaps: readonly Gap[]): string =>
  gaps.every(({ may_start }) => may_start)
    ? 'can run in production for now, with'
    : 'cannot run in production, because of';
