import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import type { Step } from './billing/cycle.ts';

/**
 * Seconds by which a blocked merchant's due work is deferred. Lifting the enforcement action ends
 * the wait sooner.
 */
const DEFER_SECONDS = 60 * 60;
/** Minimum seconds for retries after the block, before a failed charge is given up. */
const TRIES_LEFT_SECONDS = 24 * 60 * 60;

/**
 * Step of a subscription while its merchant may not charge. The subscription can end, but not for lack of payment.
 * After the block, `missed_periods` decides which missed periods are charged, and failing charges get time for retries.
 */
export function blockedStep(row: Row, step: Step, now: Micros): Step {
  const isGivenUp = Boolean(step.givesUp) || row.status === 'pending';
  if (step.decision?.trigger === 'cancel' && !isGivenUp) return step;
  const deferredUntil = now + seconds(DEFER_SECONDS);
  const givenUpAt = deferredUntil + seconds(TRIES_LEFT_SECONDS);
  const isShort = row.dunning_ends_at != null && microsOf(row.dunning_ends_at) < givenUpAt;
  const set = {
    put_aside_until: instantText(deferredUntil),
    ...(isShort && { dunning_ends_at: instantText(givenUpAt) }),
  };
  return { decision: { set, events: [], internal: true }, periods: [] };
}
