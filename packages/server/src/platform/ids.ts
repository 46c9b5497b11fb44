import { randomFillSync } from 'node:crypto';
import type { Micros } from './time/clock.ts';

const POOL_BYTES = 4096;
const pool = Buffer.alloc(POOL_BYTES);
let usedBytes = POOL_BYTES;

function randomBytes(count: number): Buffer {
  if (usedBytes + count > POOL_BYTES) {
    randomFillSync(pool);
    usedBytes = 0;
  }
  usedBytes += count;
  return pool.subarray(usedBytes - count, usedBytes);
}

/** A UUIDv7 (RFC 9562, 5.7): the milliseconds of `now`, its remaining microseconds in rand_a, then random bits. */
export function uuidv7(now: Micros): string {
  const millis = Math.floor(now / 1000);
  const time = millis.toString(16).padStart(12, '0');
  const subMillis = Math.floor(((now - millis * 1000) * 4096) / 1000);
  const a = (0x7000 | subMillis).toString(16);
  const random = randomBytes(8);
  const b = ((random.readUInt8() & 0x3f) | 0x80).toString(16) + random.toString('hex', 1);
  return `${time.slice(0, 8)}-${time.slice(8)}-${a}-${b.slice(0, 4)}-${b.slice(4)}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (text: string): boolean => UUID.test(text);
