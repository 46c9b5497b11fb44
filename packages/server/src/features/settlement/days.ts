import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';

const DAY_SECONDS = 24 * 60 * 60;

/** The day in UTC that an instant is of: `2026-01-31`. */
export const dayOf = (at: Micros): string => instantText(at).slice(0, 10);

/** When a day begins. */
export const beginningOf = (day: string): Micros => microsOf(`${day}T00:00:00Z`);

/** When a day is over, and the next begins. */
export const endOf = (day: string): Micros => beginningOf(day) + seconds(DAY_SECONDS);
