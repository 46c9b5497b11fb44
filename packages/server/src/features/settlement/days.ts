import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';

const DAY_SECONDS = 24 * 60 * 60;

/** The UTC day of an instant: `2026-01-31`. */
export const dayOf = (at: Micros): string => instantText(at).slice(0, 10);

/** Beginning of a day. */
export const beginningOfDay = (day: string): Micros => microsOf(`${day}T00:00:00Z`);

/** End of a day, which is the beginning of the next. */
export const endOfDay = (day: string): Micros => beginningOfDay(day) + seconds(DAY_SECONDS);
