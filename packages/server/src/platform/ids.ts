import { createHash, randomFillSync } from 'node:crypto';
import type { Micros } from './time/clock.ts';

const POOL_BYTES = 4096;
const RANDOM_DIGITS = 16;
const pool = Buffer.alloc(POOL_BYTES);
/** Hexadecimal digits of the pool, and how many of them are used. */
let digits = '';
let usedDigits = 0;

/** Random digits of one id. */
function randomDigits(): string {
  if (usedDigits === digits.length) {
    digits = randomFillSync(pool).toString('hex');
    usedDigits = 0;
  }
  usedDigits += RANDOM_DIGITS;
  return digits.slice(usedDigits - RANDOM_DIGITS, usedDigits);
}

/** The milliseconds of the last id, as ids begin: ids come in batches. */
let lastTime = { millis: Number.NaN, text: '' };

function timeText(millis: number): string {
  if (millis !== lastTime.millis) {
    const time = millis.toString(16).padStart(12, '0');
    lastTime = { millis, text: `${time.slice(0, 8)}-${time.slice(8)}` };
  }
  return lastTime.text;
}

/** Digits whose first two bits are those of the RFC's variant. */
const VARIANTS = '89ab';

/** A UUIDv7 (RFC 9562, 5.7): the milliseconds of `now`, its remaining microseconds in rand_a, then random bits. */
export function uuidv7(now: Micros): string {
  const millis = Math.floor(now / 1000);
  const subMillis = Math.floor(((now - millis * 1000) * 4096) / 1000);
  const a = (0x7000 | subMillis).toString(16);
  const random = randomDigits();
  const variant = VARIANTS[Number.parseInt(random.charAt(0), 16) & 3];
  return `${timeText(millis)}-${a}-${variant}${random.slice(1, 4)}-${random.slice(4)}`;
}

/** Largest `order` of a derived id: rand_a has 12 bits. */
const ORDER_MAX = 4095;

/**
 * A UUIDv7 that follows from `parts`, so that it can be found again after a restore. Ids of the same milliseconds sort by
 * `order`. A person who knows all parts can compute it.
 */
export function derivedId(millis: number, order: number, parts: readonly string[]): string {
  const digest = createHash('sha256').update(parts.join(' ')).digest('hex');
  const a = (0x7000 | Math.min(order, ORDER_MAX)).toString(16);
  const variant = VARIANTS[Number.parseInt(digest.charAt(0), 16) & 3];
  return `${timeText(millis)}-${a}-${variant}${digest.slice(1, 4)}-${digest.slice(4, 16)}`;
}

/** The milliseconds with which a UUIDv7 begins; arbitrary for other versions. */
export const millisOfId = (id: string): number =>
  Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (text: string): boolean => UUID.test(text);
