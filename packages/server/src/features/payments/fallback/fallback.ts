import type { DeclineAdvice, DeclineCode } from '@florin/contract/decline-codes.ts';
import type { Row } from '../../../platform/database/row.ts';
import { type Micros, microsOf, seconds } from '../../../platform/time/clock.ts';
import { NETWORK, type Route } from '../../../processors/route.ts';
import type { Fallback } from '../../../processors/routing-rule.ts';
import { BY_WALLET, isProven } from '../columns.ts';

/**
 * Seconds from a message in which a decline may lead to a second account. A decline that an inquiry or notification
 * tells later finds no payer who waits.
 */
export const FALLBACK_SECONDS_MAX = 60;

/** Outcome that lets a payment ask a second account. Stored with the payment while that account is asked. */
export interface FallbackStep {
  /** Id of the account; `network` is the simulated network. */
  readonly account: string;
  /** Null if the account had no free slot, so that no attempt was made. */
  readonly attempt: string | null;
  readonly result: 'not_sent' | 'declined';
  /** Decline code, the vault's reason, or `no_free_slot`. */
  readonly why: string;
}

/** Route as an attempt stores it. */
export interface AttemptRoute extends Route {
  /** Name of the account that the attempt asks; absent for the simulated network. */
  readonly account?: string;
  /** Attempt before, with its account's name. Absent for the first account. */
  readonly after?: FallbackStep & { readonly name: string };
}

/** Outcome that may lead to a second account. */
export type FallbackCause =
  | { readonly result: 'not_sent'; readonly why: string }
  | {
      readonly result: 'declined';
      readonly why: DeclineCode;
      readonly advice: DeclineAdvice | undefined;
    };

const parse = <T>(json: string | null | undefined): T | undefined =>
  json ? (JSON.parse(json) as T) : undefined;

export const routeOfAttempt = ({ route }: Row): AttemptRoute | undefined => parse(route);

/** The attempt before of a payment that asks a second account. */
export const stepOf = ({ fallback_after }: Row): FallbackStep | undefined => parse(fallback_after);

/** Reasons of `not_sent` that another account would not change: a stalled vault, an unreadable card. */
const UNRELATED = new Set(['too_late', 'record_unreadable']);
/** Whether another account may be able to send a message that this one could not. */
export const isAccountFault = (why: string): boolean => !UNRELATED.has(why);

const ANOTHER_PROCESSOR: readonly (DeclineAdvice | undefined)[] = [
  'try_another_processor',
  'try_later',
];
/**
 * Whether another account may approve what was declined with this advice. A decline without advice is final: the issuer
 * gave no reason, and may count a repetition as abuse.
 */
export const mayApproveElsewhere = (advice: DeclineAdvice | undefined): boolean =>
  ANOTHER_PROCESSOR.includes(advice);

/**
 * Decides whether a locked payment asks a second account. Undefined: the outcome stands. A payment asks two accounts at
 * most, and only after an outcome that is final and charges nothing.
 */
export function decideFallback(
  attempt: Row,
  demand: Row,
  cause: FallbackCause,
  now: Micros,
): FallbackStep | undefined {
  const route = routeOfAttempt(attempt);
  if (!route || stepOf(demand) || !permits(route.fallback, cause)) return undefined;
  const account = attempt.processor_account_id ?? NETWORK;
  if (!route.candidates.some((candidate) => candidate !== account)) return undefined;
  const age = now - microsOf(attempt.created_at as string);
  if (cause.result === 'declined' && age >= seconds(FALLBACK_SECONDS_MAX)) return undefined;
  return { account, attempt: attempt.id as string, result: cause.result, why: cause.why };
}

function permits(fallback: Fallback, cause: FallbackCause): boolean {
  if (cause.result === 'not_sent') return fallback !== 'none' && isAccountFault(cause.why);
  return fallback === 'declined' && mayApproveElsewhere(cause.advice);
}

/** Account to ask now, by the current rules: after an outcome, one that was not asked. Undefined: none is left. */
export function nextCandidate(
  { candidates, fallback }: Pick<Route, 'candidates' | 'fallback'>,
  step: FallbackStep | undefined,
): string | undefined {
  const [first] = candidates;
  if (!step) return first;
  const isAllowed = step.result === 'declined' ? fallback === 'declined' : fallback !== 'none';
  const other = isAllowed ? candidates.find((candidate) => candidate !== step.account) : undefined;
  // A message that never left may be sent again to the same account.
  return other ?? (step.result === 'not_sent' ? first : undefined);
}

/**
 * When a payment may ask a second account. The vault destroys verification values and cryptograms as it sends
 * them. After a decline, a second message without them would be weaker than the first.
 */
export function fallbackOf(fallback: Fallback, demand: Row, method: Row): Fallback {
  if (fallback !== 'declined' || demand.initiator === 'merchant') return fallback;
  const isWeaker =
    demand.threeds_status === BY_WALLET || (!!method.card_cvv_token && !isProven(demand));
  return isWeaker ? 'not_sent' : fallback;
}

/** Code of a payment's failure. A second account that could not be asked leaves the first decline as the reason. */
export function failureAfter(demand: Row, code: string): string {
  const step = stepOf(demand);
  return code === 'processor_unreachable' && step?.result === 'declined' ? step.why : code;
}
