import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import type { Step } from './billing/cycle.ts';

/** How long the dues of a merchant that may charge nobody are put off; lifting a measure ends the wait sooner. */
const PUT_OFF_SECONDS = 60 * 60;
/** What failed before is tried for at least so long afterwards, before it is given up. */
const TRIES_LEFT_SECONDS = 24 * 60 * 60;

/**
 * The step of a subscription whose merchant may charge nobody: it may end, but for want of what nobody can pay meanwhile,
 * and nothing else. Afterwards the merchant's policy for missed periods says what is charged, and what keeps failing
 * gets the time to be tried again.
 */
export function heldBack(row: Row, step: Step, now: Micros): Step {
  const isGivenUp = Boolean(step.givesUp) || row.status === 'pending';
  if (step.decision?.trigger === 'cancel' && !isGivenUp) return step;
  const until = now + seconds(PUT_OFF_SECONDS);
  const givenUp = until + seconds(TRIES_LEFT_SECONDS);
  const isShort = row.dunning_ends_at != null && microsOf(row.dunning_ends_at) < givenUp;
  const set = {
    put_aside_until: instantText(until),
    ...(isShort && { dunning_ends_at: instantText(givenUp) }),
  };
  return { decision: { set, events: [], unseen: true }, periods: [] };
}
