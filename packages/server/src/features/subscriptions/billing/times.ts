import { type Problem, ProblemError } from '@florin/contract/errors.ts';
import type { Row } from '../../../platform/database/row.ts';
import { type Micros, microsOf, seconds } from '../../../platform/time/clock.ts';

/** Years from now within which a billing anchor and a trial's end must lie. */
export const TIMES_YEARS_MAX = 10;
const YEAR = seconds(365.25 * 24 * 60 * 60);

const timeColumns = ['billing_cycle_anchor_at', 'trial_end_at', 'end_at'] as const;

/** Throws 422 for an end in the past, and for times too distant for the calendar. */
export function checkTimes(columns: Row, now: Micros): void {
  const problems = timeColumns.filter((column) => isFar(columns[column], now)).map(tooFar);
  if (columns.end_at && microsOf(columns.end_at) <= now) problems.push(pastEndProblem);
  if (problems.length > 0) throw new ProblemError(problems);
}

/**
 * Throws 422 for an end that is not after the trial, because nothing would ever be charged. The
 * error points to an attribute in `sentColumns`.
 */
export function checkEnd({ end_at, trial_end_at }: Row, sentColumns: Row): void {
  if (!end_at || !trial_end_at || microsOf(end_at) > microsOf(trial_end_at)) return;
  const column = sentColumns.end_at ? 'end_at' : 'trial_end_at';
  throw new ProblemError([
    {
      code: 'invalid',
      detail:
        'end_at must be after trial_end_at. To end a subscription with its trial, set canceled_at_period_end.',
      source: { pointer: `/data/attributes/${column}` },
    },
  ]);
}

const isFar = (at: string | null | undefined, now: Micros): boolean =>
  Boolean(at) && Math.abs(microsOf(at as string) - now) > TIMES_YEARS_MAX * YEAR;

const pastEndProblem: Problem = {
  code: 'invalid',
  detail: 'end_at must be in the future.',
  source: { pointer: '/data/attributes/end_at' },
};

const tooFar = (column: string): Problem => ({
  code: 'invalid',
  detail: `${column} must be within ${TIMES_YEARS_MAX} years of now.`,
  source: { pointer: `/data/attributes/${column}` },
});
