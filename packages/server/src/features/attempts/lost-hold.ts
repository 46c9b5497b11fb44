import type { Row } from '../../platform/database/row.ts';
import { isIn } from './decide-outcome.ts';

/** Result in place of a lost hold. */
export const LOST_HOLD = {
  result: 'unresolved',
  why: 'the processor approved it, and does not say whether it was captured',
  next: 'operator',
} as const;

/**
 * Whether an approval is a hold of a time whose records a restore has lost. Florin may have captured it then: a second
 * capture, or the reversal of an expired hold, would move money again. `captured`: false for a hold.
 */
export const isLostHold = (attempt: Row, captured: boolean | undefined): boolean =>
  captured === false && Boolean(attempt.recovered_at) && isIn(attempt, 'sending', 'unknown');
