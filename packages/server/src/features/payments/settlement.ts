import type { DeclineCode } from '@florin/contract/decline-codes.ts';
import { instantText, type Micros, seconds } from '../../kernel/clock.ts';
import type { AuthoriseResult } from '../../processors/processor.ts';
import type { Row } from '../../store/row.ts';
import type { Decision } from '../records/updater.ts';

/** What an attempt came to: the processor's answer, or that it was undone after it could not be found. */
export type AttemptResult = AuthoriseResult | { readonly result: 'reversed' };

/** What one answer does to its attempt and its payment demand. */
export interface Settlement {
  readonly attempt: Decision;
  readonly demand: Decision;
}

/** Waits before each inquiry about a lost answer; the last one repeats. */
export const INQUIRY_WAITS_SECONDS = [2, 10, 60, 300] as const;
/** Attempts in a row that may fail to leave this machine before the payment fails. */
export const UNSENT_MAX = 5;
const UNSENT_WAIT_SECONDS = 2;

const isOpen = (attempt: Row): boolean =>
  attempt.status === 'sending' || attempt.status === 'unknown';

/** Decides what an answer means. Undefined where the attempt was settled before: the first answer stands. */
export function decideSettlement(
  attempt: Row,
  demand: Row,
  result: AttemptResult,
  now: Micros,
): Settlement | undefined {
  if (!isOpen(attempt) || demand.status !== 'processing') return undefined;
  switch (result.result) {
    case 'approved':
      return approved(result, now);
    case 'declined':
      return declined(result, now);
    case 'not_sent':
      return attempt.status === 'sending' ? notSent(demand, now) : lost(attempt, demand, now);
    case 'reversed':
      return reversed(now);
    case 'pending':
    case 'unknown':
      return lost(attempt, demand, now);
  }
}

const settledDemand = { outcome: null, outcome_since: null, due_at: null } as const;

function approved(
  result: Extract<AuthoriseResult, { result: 'approved' }>,
  now: Micros,
): Settlement {
  return {
    attempt: {
      trigger: 'approve',
      set: {
        authorisation_code: result.authorisation_code,
        network_transaction_id: result.network_transaction_id,
        due_at: null,
      },
      events: [],
    },
    demand: {
      trigger: 'approve',
      set: {
        ...settledDemand,
        ...checksOf(result),
        succeeded_at: instantText(now),
        failure_reason: null,
      },
      events: ['succeeded'],
    },
  };
}

function declined(
  result: Extract<AuthoriseResult, { result: 'declined' }>,
  now: Micros,
): Settlement {
  const failed = failedWith(result.code, now);
  return {
    attempt: { trigger: 'decline', set: { decline_code: result.code, due_at: null }, events: [] },
    demand: { ...failed, set: { ...failed.set, ...checksOf(result) } },
  };
}

const checksOf = (result: Extract<AuthoriseResult, { result: 'approved' | 'declined' }>): Row => ({
  cvc2_check: result.cvc2_check,
  address_line1_verification: result.address_line1_verification,
  postal_code_verification: result.postal_code_verification,
});

/** Nothing left this machine, so nothing can have been charged and the payment may be sent again. */
function notSent(demand: Row, now: Micros): Settlement {
  const unsent = Number(demand.unsent_count) + 1;
  const attempt: Decision = { trigger: 'drop', set: { due_at: null }, events: [] };
  if (unsent >= UNSENT_MAX) return { attempt, demand: failedWith('processor_unreachable', now) };
  const due_at = instantText(now + seconds(UNSENT_WAIT_SECONDS * unsent));
  return {
    attempt,
    demand: { trigger: 'requeue', set: { unsent_count: String(unsent), due_at }, events: [] },
  };
}

const reversed = (now: Micros): Settlement => ({
  attempt: { trigger: 'reverse', set: { due_at: null }, events: [] },
  demand: failedWith('processor_unreachable', now),
});

const failedWith = (code: DeclineCode, now: Micros): Decision => ({
  trigger: 'decline',
  set: { ...settledDemand, failure_reason: code, failed_at: instantText(now) },
  events: ['failed'],
});

/** The processor may have charged the card: the demand stays in `processing` until an inquiry tells. */
function lost(attempt: Row, demand: Row, now: Micros): Settlement {
  const inquiries = Number(attempt.inquiries);
  const wait = INQUIRY_WAITS_SECONDS[inquiries] ?? INQUIRY_WAITS_SECONDS.at(-1) ?? 0;
  const since = demand.outcome_since ?? instantText(now);
  const known = attempt.status === 'unknown';
  return {
    attempt: {
      ...(known ? {} : { trigger: 'lose' }),
      set: {
        unknown_since: attempt.unknown_since ?? instantText(now),
        inquiries: String(inquiries + 1),
        due_at: instantText(now + seconds(wait)),
      },
      events: [],
    },
    demand: { set: { outcome: 'unknown', outcome_since: since }, events: [] },
  };
}
