import type { DeclineCode } from './decline-codes.ts';
import { declineCodes } from './decline-codes.ts';

/** What becomes of a subscription whose charge is given up: it ends, it waits for somebody, or the next period is charged as if nothing had been. */
export const dunningFinalActions = ['pause', 'cancel', 'keep'] as const;
export type DunningFinalAction = (typeof dunningFinalActions)[number];

/** What becomes of periods that nothing was billed for in time: each has its charge, or the one that runs alone. */
export const missedPeriods = ['each', 'latest'] as const;
export type MissedPeriods = (typeof missedPeriods)[number];

/** Days from the first failure until a charge is given up, where the merchant says nothing else. */
export const DUNNING_DAYS = 14;
export const DUNNING_DAYS_MAX = 60;

/** How a decline is to be taken: trying again is vain, may help once there is money, or once a system is back. */
export type DeclineClass = 'hard' | 'soft' | 'technical';

const technical: ReadonlySet<string> = new Set([
  'processor_unreachable',
  'processor_timeout',
] satisfies DeclineCode[]);

export function declineClassOf(code: DeclineCode): DeclineClass {
  if (!declineCodes[code].retry) return 'hard';
  return technical.has(code) ? 'technical' : 'soft';
}

/** What is typed anew with a card, or asked of its bank. */
const mendable: ReadonlySet<string> = new Set([
  'incorrect_cvc',
  'expired_card',
  'authentication_failed',
  'card_not_verified',
] satisfies DeclineCode[]);

/** Whether it is vain to enter the same card once more. */
export const isCardRefused = (code: DeclineCode): boolean =>
  declineClassOf(code) === 'hard' && !mendable.has(code);

const HOUR_S = 60 * 60;
const DAY_S = 24 * HOUR_S;

/**
 * How often a charge is sent by itself in one dunning, whatever cards it is given, which each begin the schedule anew.
 * Visa lets a card be tried 15 times in 30 days after a decline; who goes back and forth between two stays under that.
 */
export const DUNNING_TRIES_MAX = 15;

/** Seconds from each failure to the next try of the same charge. Networks forbid trying a card again that was declined for good. */
export const dunningSchedule: Readonly<Record<DeclineClass, readonly number[]>> = {
  hard: [],
  soft: [DAY_S, DAY_S, DAY_S, DAY_S, DAY_S, DAY_S, DAY_S],
  technical: [HOUR_S, 4 * HOUR_S, 12 * HOUR_S, DAY_S, DAY_S, DAY_S],
};
