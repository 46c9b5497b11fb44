import type { Row } from '../../platform/database/row.ts';

/** `accepted`: the processor took it, and has not told its outcome. `refused`: it told that nothing was given back. */
type ReversalState = 'accepted' | 'refused';
type Reversals = Readonly<Record<string, ReversalState>>;

/** Reversals that are kept of an attempt. Florin repeats some of them without end. */
export const REVERSALS_MAX = 64;
/** Stands for accepted reversals beyond the limit, and is never refused. */
const FURTHER = 'further';

const reversalsOf = ({ reversals }: Row): Reversals =>
  reversals ? (JSON.parse(reversals) as Reversals) : {};

/**
 * Columns after the answer to a reversal, or a notification about one. Either may come first, so a refused one stays
 * refused. Undefined if nothing is new.
 */
export function withReversal(
  attempt: Row,
  reference: string,
  state: ReversalState,
): Row | undefined {
  const known = reversalsOf(attempt);
  const isFull = Object.keys(known).length >= REVERSALS_MAX && !Object.hasOwn(known, reference);
  if (isFull && state === 'refused') return undefined;
  const name = isFull ? FURTHER : reference;
  if (known[name] === state || known[name] === 'refused') return undefined;
  return { reversals: JSON.stringify({ ...known, [name]: state }) };
}

/** Whether a processor accepted a reversal and may still give the money back. */
export const mayStillReverse = (attempt: Row): boolean =>
  Object.values(reversalsOf(attempt)).includes('accepted');

/** Whether a reference is that of a reversal. People could take it for that of the payment. */
export const isReversal = (attempt: Row, reference: string): boolean =>
  Object.hasOwn(reversalsOf(attempt), reference);
