import type { Signal } from '../workers/signal.ts';

/** Microseconds since 1970, UTC. Exact as a number until the year 2255. */
export type Micros = number;

export interface Clock {
  now(): Micros;
  /** Wakes after a jump of the clock. Only test clocks announce their jumps. */
  readonly moved?: Signal;
}

const MICROS_PER_MILLI = 1_000;
const MICROS_PER_SECOND = 1_000_000;
const FRACTION_DIGITS = 6;
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
  const second = Math.floor(at / MICROS_PER_SECOND);
  if (second !== writtenSecond.second) {
    const text = new Date(second * MICROS_PER_MILLI).toISOString().slice(0, -'000Z'.length);
    writtenSecond = { second, text };
  }
  const micros = String(at - second * MICROS_PER_SECOND).padStart(FRACTION_DIGITS, '0');
  return `${writtenSecond.text}${micros}Z`;
}

/** The last second that was written, up to its decimal point: nearly all texts are of the current second. */
let writtenSecond = { second: Number.NaN, text: '' };

export const seconds = (count: number): Micros => count * MICROS_PER_SECOND;

const SECOND = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)$/;
const SECOND_LENGTH = 'YYYY-MM-DDThh:mm:ss'.length;
const FRACTION_AND_ZONE = /^(?:\.(\d{1,6}))?(?:Z|\+00(?::?00)?)$/;

/** The last second that was parsed. */
let parsedSecond = { text: '', micros: 0 };

/** Parses a UTC instant in ISO or PostgreSQL form. Throws for other text. */
export function microsOf(text: string): Micros {
  const second = text.slice(0, SECOND_LENGTH);
  if (second !== parsedSecond.text) parsedSecond = { text: second, micros: secondOf(second) };
  const match = FRACTION_AND_ZONE.exec(text.slice(SECOND_LENGTH));
  if (!match) throw notAnInstant();
  return parsedSecond.micros + Number((match[1] ?? '').padEnd(FRACTION_DIGITS, '0'));
}

function secondOf(text: string): Micros {
  const match = SECOND.exec(text);
  if (!match) throw notAnInstant();
  return Date.parse(`${match[1]}T${match[2]}Z`) * MICROS_PER_MILLI;
}

const notAnInstant = (): Error => new Error('not an instant in UTC');
