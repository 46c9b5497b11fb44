import { createLru } from '@florin/contract/lru.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Micros, microsOf, seconds } from '../../platform/time/clock.ts';

const HOUR_SECONDS = 60 * 60;
/** Ages at which an attempt without an outcome is logged: as a warning, then as an error. */
export const OPEN_WARN_SECONDS = HOUR_SECONDS;
export const OPEN_ERROR_SECONDS = 24 * HOUR_SECONDS;
/** Logged attempts in memory, so that each is logged once. A restart logs them again. */
const LOGGED_MAX = 10_000;

/** Log message about an old attempt, by its state. */
const adviceByStatus: Readonly<Record<string, string>> = {
  unknown:
    'attempt without an outcome: check that the processor is reachable, or ask it for the attempt by its id',
  reversing:
    'reversal not acknowledged: check that the processor is reachable, or have it reverse the attempt by its id',
};

/** Logs an attempt that has had no outcome for long. Called before each inquiry. */
export type LogOldAttempt = (attempt: Row, now: Micros) => void;

/** Logs an old attempt once per state: a warning after an hour, an error after a day. */
export function createAgeAlarm(logger: Pick<Logger, 'warn' | 'error'>): LogOldAttempt {
  const loggedAttempts = createLru<true>(LOGGED_MAX);
  return ({ id, status, operation, processor, unknown_since }, now) => {
    const level = unknown_since && levelOf(now - microsOf(unknown_since));
    const hint = adviceByStatus[status as string];
    const key = `${id} ${status} ${level}`;
    if (!level || !hint || loggedAttempts.get(key)) return;
    loggedAttempts.set(key, true);
    logger[level]({ attempt: id, status, operation, processor, unknown_since }, hint);
  };
}

function levelOf(age: Micros): 'warn' | 'error' | undefined {
  if (age >= seconds(OPEN_ERROR_SECONDS)) return 'error';
  return age >= seconds(OPEN_WARN_SECONDS) ? 'warn' : undefined;
}
