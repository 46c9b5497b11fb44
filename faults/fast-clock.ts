import { type Clock, systemClock } from '@florin/server/platform/time/clock.ts';

export interface ClockSettings {
  /** Instant, in milliseconds since 1970, from which the run's clocks go fast. */
  readonly epoch_ms: number;
  /** Factor to the system clock. */
  readonly speed: number;
}

/** Default factor to the system clock, so that leases and waits end soon. */
export const SPEED = 40;

/** Shows the same instant in every process with the same start and speed. */
export const fastClock = ({ epoch_ms, speed }: ClockSettings): Clock =>
  systemClock(() => epoch_ms + (Date.now() - epoch_ms) * speed);
