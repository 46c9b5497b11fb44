import type { Row } from '../../platform/database/row.ts';
import type { Micros } from '../../platform/time/clock.ts';

const MICROS_PER_MILLI = 1_000;

/** Whether a card has expired. Cards are valid until the end of their month, in UTC. */
export function isExpired({ expiry_year, expiry_month }: Row, at: Micros): boolean {
  if (!expiry_year || !expiry_month) return false;
  return Date.UTC(Number(expiry_year), Number(expiry_month)) * MICROS_PER_MILLI <= at;
}
