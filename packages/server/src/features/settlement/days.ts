import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';

const DAY_SECONDS = 24 * 60 * 60;

/** UTC day of an instant, such as `2026-01-31`. */
export const dayOf = (at: Micros): string => instantText(at).slice(0, 10);

/** First instant of a day. */
export const beginningOfDay = (day: string): Micros => microsOf(`${day}T00:00:00Z`);

/** First instant after a day. */
export const endOfDay = (day: string): Micros => beginningOfDay(day) + seconds(DAY_SECONDS);
