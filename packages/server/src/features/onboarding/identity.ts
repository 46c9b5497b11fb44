import { problem } from '@florin/contract/errors.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';

/** Largest plausible age. */
export const AGE_MAX_YEARS = 130;
const VISIBLE_CHARACTERS = 4;

/** Document number for display: all characters masked except the last four. */
export function maskedNumber(number: string): string {
  const characters = [...number];
  const maskedCount = Math.max(0, characters.length - VISIBLE_CHARACTERS);
  return '*'.repeat(maskedCount) + characters.slice(maskedCount).join('');
}

/**
 * Throws 422 unless a birth date, such as `1990-11-21`, lies in the past and at most
 * `AGE_MAX_YEARS` ago.
 */
export function checkBirthDate(dob: string, now: Micros): void {
  const today = instantText(now).slice(0, 10);
  if (dob >= today) throw wrongBirthDate('dob must be in the past.');
  if (dob <= yearsBefore(today, AGE_MAX_YEARS)) {
    throw wrongBirthDate(`dob must be less than ${AGE_MAX_YEARS} years ago.`);
  }
}

const yearsBefore = (day: string, years: number): string =>
  `${String(Number(day.slice(0, 4)) - years).padStart(4, '0')}${day.slice(4)}`;

const wrongBirthDate = (detail: string) =>
  problem('invalid', detail, { pointer: '/data/attributes/dob' });
