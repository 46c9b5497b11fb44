import { type Clock, systemClock } from '@florin/server/platform/time/clock.ts';

export interface ClockSettings {
  /** Instant at which the run's clocks become fast, in milliseconds since 1970. */
  readonly epoch_ms: number;
  /** Speed of the clock as a multiple of the system clock's. */
  readonly speed: number;
}

/** Default speed, which makes leases and waits end soon. */
export const SPEED = 40;

/** A fast clock. Processes with the same settings read the same time. */
export const fastClock = ({ epoch_ms, speed }: ClockSettings): Clock =>
  systemClock(() => epoch_ms + (Date.now() - epoch_ms) * speed);
