import type { Scope } from '../../platform/database/scope.ts';
import { seconds } from '../../platform/time/clock.ts';
import { MOUNT_SECONDS } from './session.ts';

/** Attempts within a window, which begins with the first. */
export interface TryLimit {
  readonly max: number;
  /** Microseconds. */
  readonly window: number;
  /** Factor for the sandbox, where one host runs a whole test suite's cards. */
  readonly sandbox_times?: number;
}

const HOUR = seconds(60 * 60);
const DAY = 24 * HOUR;
const SANDBOX_TIMES = 100;

/** Limits of card attempts: above what payers need, below what testing stolen cards needs. */
export const tryLimits = {
  /** In one mounted form. */
  form: { max: 10, window: seconds(MOUNT_SECONDS) },
  /** For one payment, across its mounted forms. */
  payment: { max: 30, window: DAY },
  /** With one card at one merchant: other merchants have other fingerprints. */
  card: { max: 20, window: DAY, sandbox_times: SANDBOX_TIMES },
  /** From one address or IPv6 network, at all merchants. */
  address_hour: { max: 60, window: HOUR, sandbox_times: SANDBOX_TIMES },
  address_day: { max: 200, window: DAY, sandbox_times: SANDBOX_TIMES },
  /**
   * From all networks of one IPv6 site: ten times an address, since some providers give a whole
   * town one site.
   */
  site_hour: { max: 600, window: HOUR, sandbox_times: SANDBOX_TIMES },
} as const satisfies Record<string, TryLimit>;

/** A repeated sealed card is no new attempt; no form needs more repetitions than this. */
export const REPEATS: TryLimit = { max: 20, window: seconds(MOUNT_SECONDS) };

/** Abandoned attempts of one payment: each may leave a row. */
export const ABANDONS: TryLimit = { max: 100, window: HOUR };

/**
 * Failures of one publishable key. Beyond them the key is closed until the window ends, if half of
 * its attempts failed: only card testing does that, from however many addresses.
 */
export const KEY_FAILURES: TryLimit = {
  max: 100,
  window: seconds(10 * 60),
  sandbox_times: SANDBOX_TIMES,
};

export const maxOf = ({ max, sandbox_times = 1 }: TryLimit, mode: Scope['mode']): number =>
  mode === 'sandbox' ? max * sandbox_times : max;
