import { createLru } from '@florin/contract/lru.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Micros, microsOf, seconds } from '../../platform/time/clock.ts';

const HOUR_SECONDS = 60 * 60;
/** Ages from which people are told of an attempt whose outcome nobody knows. */
export const OPEN_WARN_SECONDS = HOUR_SECONDS;
export const OPEN_ERROR_SECONDS = 24 * HOUR_SECONDS;
/** What was told of is remembered, so that it is told of once; after a restart it is once more. */
const TOLD_MAX = 10_000;

/** What somebody can do about an attempt that stays open, by its state. */
const advice: Readonly<Record<string, string>> = {
  unknown:
    'the processor does not say what became of an attempt: see that it can be reached, or ask its operator for the attempt by its id',
  reversing:
    'the processor does not acknowledge that an attempt was given back: see that it can be reached, or have its operator reverse the attempt by its id',
};

/** Looks at an attempt that is about to be asked for again. */
export type AgeAlarm = (attempt: Row, now: Micros) => void;

/** Tells once of each state in which an attempt grows old: a warning first, an error when a day has passed. */
export function createAgeAlarm(logger: Pick<Logger, 'warn' | 'error'>): AgeAlarm {
  const told = createLru<true>(TOLD_MAX);
  return ({ id, status, operation, processor, unknown_since }, now) => {
    const level = unknown_since && levelOf(now - microsOf(unknown_since));
    const hint = advice[status as string];
    const key = `${id} ${status} ${level}`;
    if (!level || !hint || told.get(key)) return;
    told.set(key, true);
    logger[level]({ attempt: id, status, operation, processor, unknown_since }, hint);
  };
}

function levelOf(age: Micros): 'warn' | 'error' | undefined {
  if (age >= seconds(OPEN_ERROR_SECONDS)) return 'error';
  return age >= seconds(OPEN_WARN_SECONDS) ? 'warn' : undefined;
}
