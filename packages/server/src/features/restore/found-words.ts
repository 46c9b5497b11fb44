import { attemptOutcomes, type RestoreFinding } from './requests.ts';

/** Findings of a person that were read from the words of a command. */
export type FoundWords =
  | {
      readonly outcome: (typeof attemptOutcomes)[number];
      readonly reference?: string | undefined;
    }
  | { readonly findings: readonly RestoreFinding[] };

const AMOUNT = /^[1-9]\d{0,14}$/;
const ACCEPTED =
  'say charged [REFERENCE], not-charged or unchanged, or all changes in their order: captured AMOUNT, refunded AMOUNT, released';

/** Reads the findings of a `decide` command. Throws an `Error` that says what is accepted. */
export function parseFound(words: readonly string[]): FoundWords {
  const [first, reference, ...rest] = words;
  const outcome = attemptOutcomes.find((known) => known === first);
  if (outcome && rest.length === 0 && (outcome === 'charged' || reference === undefined))
    return { outcome, reference };
  if (outcome) throw new Error(ACCEPTED);
  const findings = parseFindings(words);
  const isAlone = findings.length === 1 || !findings.some(({ outcome: is }) => is === 'unchanged');
  const releases = findings.filter(({ outcome: is }) => is === 'released');
  if (findings.length === 0 || !isAlone || releases.length > 1) throw new Error(ACCEPTED);
  return { findings };
}

function parseFindings([first, ...rest]: readonly string[]): RestoreFinding[] {
  if (first === undefined) return [];
  if (first === 'unchanged' || first === 'released')
    return [{ outcome: first }, ...parseFindings(rest)];
  if (first !== 'captured' && first !== 'refunded') throw new Error(ACCEPTED);
  const [amount = '', ...more] = rest;
  if (!AMOUNT.test(amount))
    throw new Error(`say the amount in minor units after ${first}, such as 1250`);
  return [{ outcome: first, amount: Number(amount) }, ...parseFindings(more)];
}

/** Findings in words, as a command has them. */
export const wordsOf = (findings: readonly RestoreFinding[]): string =>
  findings.map((one) => ('amount' in one ? `${one.outcome} ${one.amount}` : one.outcome)).join(' ');
