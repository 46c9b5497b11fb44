import type { Scope } from '../../platform/database/scope.ts';
import { seconds } from '../../platform/time/clock.ts';
import { MOUNT_SECONDS } from './session.ts';

/** So many tries within a window, which begins with the first of them. */
export interface TryLimit {
  readonly max: number;
  /** Microseconds. */
  readonly window: number;
  /** What the sandbox allows more: one machine there tries the cards of a whole test suite. */
  readonly sandbox_times?: number;
}

const HOUR = seconds(60 * 60);
const DAY = 24 * HOUR;
const SANDBOX_TIMES = 100;

/** Cards that may be tried. What is never tried more often by people who pay is what stolen cards are tested by. */
export const tryLimits = {
  /** In one mounted form. */
  form: { max: 10, window: seconds(MOUNT_SECONDS) },
  /** For one payment, however often its form is mounted anew. */
  payment: { max: 30, window: DAY },
  /** With one card at one merchant: fingerprints of other merchants differ. */
  card: { max: 20, window: DAY, sandbox_times: SANDBOX_TIMES },
  /** From one address, or one IPv6 network, at all merchants together. */
  address_hour: { max: 60, window: HOUR, sandbox_times: SANDBOX_TIMES },
  address_day: { max: 200, window: DAY, sandbox_times: SANDBOX_TIMES },
  /** From all networks of one IPv6 site: as many as ten addresses, as a whole town may have one of some providers. */
  site_hour: { max: 600, window: HOUR, sandbox_times: SANDBOX_TIMES },
} as const satisfies Record<string, TryLimit>;

/** A sealed card that is sent again is no other try; no form has reason to send it more often than this. */
export const REPEATS: TryLimit = { max: 20, window: seconds(MOUNT_SECONDS) };

/** Attempts of one payment that may be abandoned: each that has not come yet leaves a row. */
export const ABANDONS: TryLimit = { max: 100, window: HOUR };

/**
 * Failures of one publishable key, beyond which it is closed until the window ends where they are at least the half
 * of its tries: so many cards fail at once only where cards are tested, from however many addresses.
 */
export const KEY_FAILURES: TryLimit = {
  max: 100,
  window: seconds(10 * 60),
  sandbox_times: SANDBOX_TIMES,
};

export const maxOf = ({ max, sandbox_times = 1 }: TryLimit, mode: Scope['mode']): number =>
  mode === 'sandbox' ? max * sandbox_times : max;
