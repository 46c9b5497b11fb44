import type { Scope } from '../../platform/database/scope.ts';
import { seconds } from '../../platform/time/clock.ts';
import { MOUNT_SECONDS } from './session.ts';

/** Number of attempts within a window. The first attempt begins the window. */
export interface TryLimit {
  readonly max: number;
  /** Length of the window in microseconds. */
  readonly window: number;
  /** Factor in the sandbox, where one host sends the cards of a whole test suite. */
  readonly sandbox_times?: number;
  /** Further attempts for each approval of the merchant within a day. */
  readonly per_approval?: number;
}

const HOUR = seconds(60 * 60);
const DAY = 24 * HOUR;
const SANDBOX_TIMES = 100;

/** Limits of card attempts. Payers stay below them; testing stolen cards exceeds them. */
export const tryLimits = {
  /** Attempts in one mounted form. */
  form: { max: 10, window: seconds(MOUNT_SECONDS) },
  /** Attempts for one payment, in all its mounted forms. */
  payment: { max: 30, window: DAY },
  /** Attempts with one card at one merchant. Each merchant has its own fingerprint of a card. */
  card: { max: 20, window: DAY, sandbox_times: SANDBOX_TIMES },
  /** Attempts from one IPv4 address or IPv6 /64 network, at all merchants. */
  address_hour: { max: 60, window: HOUR, sandbox_times: SANDBOX_TIMES },
  address_day: { max: 200, window: DAY, sandbox_times: SANDBOX_TIMES },
  /**
   * Attempts from one IPv4 /24 or IPv6 /48. Ten times the limit of an address, since many households
   * share such a network.
   */
  prefix_hour: { max: 600, window: HOUR, sandbox_times: SANDBOX_TIMES },
  /**
   * Different cards at one publishable key or payment link, which the vault has read. Approvals raise these limits, so that only cards
   * that are not charged exceed them.
   */
  key_hour: { max: 60, window: HOUR, sandbox_times: SANDBOX_TIMES, per_approval: 2 },
  key_day: { max: 90, window: DAY, sandbox_times: SANDBOX_TIMES, per_approval: 2 },
  /** Share of one IPv4 /24 or IPv6 /48 in these cards, so that only many networks close a key. */
  key_network: { max: 10, window: DAY, sandbox_times: SANDBOX_TIMES, per_approval: 2 },
  /** Failed cards of one customer. */
  payer_failures: { max: 10, window: DAY, sandbox_times: SANDBOX_TIMES },
} as const satisfies Record<string, TryLimit>;

/**
 * Maximum number of repetitions of one encrypted card. Repetitions are no new attempts, and forms
 * need fewer.
 */
export const REPEATS: TryLimit = { max: 20, window: seconds(MOUNT_SECONDS) };

/** Maximum number of abandoned attempts of one payment. Each may store a row. */
export const ABANDONS: TryLimit = { max: 100, window: HOUR };

/** Fingerprinting pages that one payment or one address may begin. Each stores a row. */
export const fingerprintLimits = {
  payment: { max: 60, window: HOUR },
  address: { max: 300, window: HOUR, sandbox_times: SANDBOX_TIMES },
} as const satisfies Record<string, TryLimit>;

/** Time for which a card counts once for its key or link. */
export const KEY_CARD: TryLimit = { max: 1, window: DAY };

/**
 * Failures of one publishable key or payment link. Above this number, it is closed until the window
 * ends if half of its cards failed. Only card testing fails this often, from any number of
 * addresses.
 */
export const KEY_FAILURES: TryLimit = {
  max: 30,
  window: seconds(10 * 60),
  sandbox_times: SANDBOX_TIMES,
};

/** Failures of one network prefix, which close it in the same way. Payers next door keep it open. */
export const PREFIX_FAILURES: TryLimit = { max: 60, window: HOUR, sandbox_times: SANDBOX_TIMES };

/** Interval at which a merchant is alerted about one key or link. */
export const ALERTS: TryLimit = { max: 1, window: DAY };

export const maxOf = ({ max, sandbox_times = 1 }: TryLimit, mode: Scope['mode']): number =>
  mode === 'sandbox' ? max * sandbox_times : max;
