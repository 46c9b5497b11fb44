import { isDeclineCode } from '@florin/contract/decline-codes.ts';
import {
  DUNNING_TRIES_MAX,
  type DunningFinalAction,
  declineClassOf,
  dunningSchedule,
  type MissedPeriods,
} from '@florin/contract/dunning.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { RowKey } from '../../../platform/database/row-key.ts';
import { instantText, type Micros, microsOf, seconds } from '../../../platform/time/clock.ts';

/** A merchant's policy for failing charges. */
export interface BillingPolicy {
  readonly dunning_days: number;
  readonly dunning_final_action: DunningFinalAction;
  readonly missed_periods: MissedPeriods;
}

/**
 * Final action for a given-up charge. After an unpaid change the subscription stays, because
 * earlier time is paid.
 */
export const finalActionOf = (
  { billing_reason }: Row,
  { dunning_final_action }: Pick<BillingPolicy, 'dunning_final_action'>,
): DunningFinalAction => (billing_reason === 'change' ? 'keep' : dunning_final_action);

const DAY_S = 24 * 60 * 60;

/** Key of a subscription's failing charge; empty without one. */
export const failingOf = ({ merchant_id, past_due_charge_id }: Row): RowKey[] =>
  past_due_charge_id ? [{ merchant_id: merchant_id as string, id: past_due_charge_id }] : [];

/** Columns of a subscription without a failing charge. */
export const notPastDue: Row = {
  past_due_since: null,
  past_due_charge_id: null,
  tries_count: null,
  all_tries_count: null,
  next_try_at: null,
  dunning_ends_at: null,
};

type DunningLength = Pick<BillingPolicy, 'dunning_days'>;

/** Time when a failing charge is given up, counted from its first failure. */
export const givenUpAt = (
  { dunning_ends_at }: Row,
  { dunning_days }: DunningLength,
  now: Micros,
): string => dunning_ends_at ?? instantText(now + seconds(dunning_days * DAY_S));

/**
 * Columns of a subscription whose charge failed. The decline code and the current card's failures determine the next
 * attempt. None comes after the merchant's deadline or beyond the limit of attempts with all cards.
 */
export function pastDue(row: Row, charge: Row, policy: DunningLength, now: Micros): Row {
  const [cardFailures, allFailures] = row.past_due_since
    ? [Number(row.tries_count), Number(row.all_tries_count)]
    : [0, 0];
  const endsAt = givenUpAt(row, policy, now);
  const nextAttempt =
    allFailures + 1 < DUNNING_TRIES_MAX
      ? nextTry(charge.failure_reason, cardFailures, now)
      : undefined;
  return {
    past_due_since: row.past_due_since ?? instantText(now),
    past_due_charge_id: charge.id as string,
    tries_count: String(cardFailures + 1),
    all_tries_count: String(allFailures + 1),
    next_try_at:
      nextAttempt !== undefined && nextAttempt < microsOf(endsAt) ? instantText(nextAttempt) : null,
    dunning_ends_at: endsAt,
  };
}

/** Time of the next attempt. None after an unknown decline: networks may forbid a retry. */
function nextTry(
  reason: string | null | undefined,
  cardFailures: number,
  now: Micros,
): Micros | undefined {
  const code = reason ?? '';
  if (!isDeclineCode(code)) return undefined;
  const waitSeconds = dunningSchedule[declineClassOf(code)][cardFailures];
  return waitSeconds === undefined ? undefined : now + seconds(waitSeconds);
}
