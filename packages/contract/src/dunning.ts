import type { DeclineCode } from './decline-codes.ts';
import { declineCodes } from './decline-codes.ts';

/**
 * Action after the last retry: pause the subscription, cancel it, or keep it and charge the next
 * period as usual.
 */
export const dunningFinalActions = ['pause', 'cancel', 'keep'] as const;
export type DunningFinalAction = (typeof dunningFinalActions)[number];

/**
 * Policy for periods that were not billed in time: charge each of them, or only the current one.
 */
export const missedPeriods = ['each', 'latest'] as const;
export type MissedPeriods = (typeof missedPeriods)[number];

/** Default number of days from the first failure to the end of dunning. */
export const DUNNING_DAYS = 14;
export const DUNNING_DAYS_MAX = 60;

/**
 * Class of a decline. `hard`: retries are useless; `soft`: may succeed once the account has money;
 * `technical`: may succeed once a system works again.
 */
export type DeclineClass = 'hard' | 'soft' | 'technical';

const technical: ReadonlySet<string> = new Set([
  'processor_unreachable',
  'processor_timeout',
] satisfies DeclineCode[]);

export function declineClassOf(code: DeclineCode): DeclineClass {
  if (!declineCodes[code].retry) return 'hard';
  return technical.has(code) ? 'technical' : 'soft';
}

/** Declines that correct card details or a call to the issuer can resolve. */
const recoverable: ReadonlySet<string> = new Set([
  'incorrect_cvc',
  'expired_card',
  'authentication_failed',
  'card_not_verified',
  'cryptogram_missing',
] satisfies DeclineCode[]);

/** Whether it is useless to enter the same card again. */
export const isCardRefused = (code: DeclineCode): boolean =>
  declineClassOf(code) === 'hard' && !recoverable.has(code);

const HOUR_S = 60 * 60;
const DAY_S = 24 * HOUR_S;

/**
 * Number of automatic charges in one dunning, with all cards; each new card restarts the schedule.
 * Visa allows 15 retries of a card in 30 days after a decline. Alternation between two cards stays
 * below that limit.
 */
export const DUNNING_TRIES_MAX = 15;

/**
 * Seconds from each failure to the next retry, by class. Networks forbid retries after a hard
 * decline.
 */
export const dunningSchedule: Readonly<Record<DeclineClass, readonly number[]>> = {
  hard: [],
  soft: [DAY_S, DAY_S, DAY_S, DAY_S, DAY_S, DAY_S, DAY_S],
  technical: [HOUR_S, 4 * HOUR_S, 12 * HOUR_S, DAY_S, DAY_S, DAY_S],
};
