import { createLru } from '@florin/contract/lru.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Micros, microsOf, seconds } from '../../platform/time/clock.ts';

const HOUR_SECONDS = 60 * 60;
/** Ages at which an attempt without an outcome is logged. */
export const OPEN_WARN_SECONDS = HOUR_SECONDS;
export const OPEN_ERROR_SECONDS = 24 * HOUR_SECONDS;
/** Remembered attempts, so that each is logged once; a restart logs them again. */
const LOGGED_MAX = 10_000;

/** Advice for an attempt that stays open, by its state. */
const advice: Readonly<Record<string, string>> = {
  unknown:
    'an attempt has had no outcome for long: check that the processor can be reached, or ask its operator for the attempt by its id',
  reversing:
    'a reversal has not been acknowledged for long: check that the processor can be reached, or have its operator reverse the attempt by its id',
};

/** Checks the age of an attempt before its next inquiry. */
export type AgeAlarm = (attempt: Row, now: Micros) => void;

/** Logs each state of an old attempt once: first a warning, after a day an error. */
export function createAgeAlarm(logger: Pick<Logger, 'warn' | 'error'>): AgeAlarm {
  const logged = createLru<true>(LOGGED_MAX);
  return ({ id, status, operation, processor, unknown_since }, now) => {
    const level = unknown_since && levelOf(now - microsOf(unknown_since));
    const hint = advice[status as string];
    const key = `${id} ${status} ${level}`;
    if (!level || !hint || logged.get(key)) return;
    logged.set(key, true);
    logger[level]({ attempt: id, status, operation, processor, unknown_since }, hint);
  };
}

function levelOf(age: Micros): 'warn' | 'error' | undefined {
  if (age >= seconds(OPEN_ERROR_SECONDS)) return 'error';
  return age >= seconds(OPEN_WARN_SECONDS) ? 'warn' : undefined;
}
