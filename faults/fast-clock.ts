import { type Clock, systemClock } from '@florin/server/platform/time/clock.ts';

export interface ClockSettings {
  /** Instant, in milliseconds since 1970, from which the clocks of the run go fast. */
  readonly epoch_ms: number;
  /** How much faster than the machine’s they go. */
  readonly speed: number;
}

/** How much faster than the machine's the clocks of a run go: leases and waits end soon. */
export const SPEED = 40;

/** The same instant in every process that is given the same start and speed. */
export const fastClock = ({ epoch_ms, speed }: ClockSettings): Clock =>
  systemClock(() => epoch_ms + (Date.now() - epoch_ms) * speed);
