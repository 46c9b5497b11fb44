import type { Signal } from '../workers/signal.ts';

/** Microseconds since 1970, UTC. Exact as a number until the year 2255. */
export type Micros = number;

export interface Clock {
  now(): Micros;
  /** Wakes after a jump of the clock. Only test clocks announce their jumps. */
  readonly moved?: Signal;
}

const MICROS_PER_MILLI = 1_000;
/**
 * Largest lead over the system clock, which unique times can cause. A larger lead means that the system clock
 * was set back.
 */
const LEAD_MAX = 1_000_000;

/**
 * The system clock. Each call returns a later microsecond, so that records keep their order. If the system
 * clock is set back by more than a second, this clock follows.
 */
export function systemClock(read: () => number = Date.now): Clock {
  let lastTime = 0;
  return {
    now() {
      const systemTime = read() * MICROS_PER_MILLI;
      lastTime = lastTime - systemTime > LEAD_MAX ? systemTime : Math.max(lastTime + 1, systemTime);
      return lastTime;
    },
  };
}

/** ISO 8601 in UTC with six decimals, as in API responses; PostgreSQL accepts it too. */
export function instantText(at: Micros): string {
  const millis = Math.floor(at / MICROS_PER_MILLI);
  const micros = String(at - millis * MICROS_PER_MILLI).padStart(3, '0');
  return `${new Date(millis).toISOString().slice(0, -1)}${micros}Z`;
}

export const seconds = (count: number): Micros => count * 1_000_000;

const INSTANT = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(?:Z|\+00(?::?00)?)$/;

/** Parses a UTC instant in ISO or PostgreSQL form. Throws for other text. */
export function microsOf(text: string): Micros {
  const match = INSTANT.exec(text);
  if (!match) throw new Error('not an instant in UTC');
  const [, day, time, fraction = ''] = match;
  return Date.parse(`${day}T${time}Z`) * MICROS_PER_MILLI + Number(fraction.padEnd(6, '0'));
}
