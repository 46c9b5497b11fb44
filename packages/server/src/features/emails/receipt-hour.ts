import { instantText, type Micros } from '../../platform/time/clock.ts';

const HOUR_CHARS = 'YYYY-MM-DD HH'.length;

/** Hour of a repeated receipt, which is unique for each payment: two clicks write one. */
export const hourOf = (now: Micros): string => instantText(now).slice(0, HOUR_CHARS);
