import { isDeclineCode } from '@florin/contract/decline-codes.ts';
import {
  DUNNING_TRIES_MAX,
  type DunningFinalAction,
  declineClassOf,
  dunningSchedule,
  type MissedPeriods,
} from '@florin/contract/dunning.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { RowKey } from '../../../platform/database/transition.ts';
import { instantText, type Micros, microsOf, seconds } from '../../../platform/time/clock.ts';

/** What a merchant wants of billing that does not go as it should. */
export interface BillingPolicy {
  readonly dunning_days: number;
  readonly dunning_final_action: DunningFinalAction;
  readonly missed_periods: MissedPeriods;
}

/** What is done when a charge is given up. A change that nobody pays for ends nothing that was paid for before it. */
export const finalActionOf = (
  { billing_reason }: Row,
  { dunning_final_action }: Pick<BillingPolicy, 'dunning_final_action'>,
): DunningFinalAction => (billing_reason === 'change' ? 'keep' : dunning_final_action);

const DAY_S = 24 * 60 * 60;

/** The charge of a subscription that keeps failing, if one does. */
export const failingOf = ({ merchant_id, past_due_charge_id }: Row): RowKey[] =>
  past_due_charge_id ? [{ merchant_id: merchant_id as string, id: past_due_charge_id }] : [];

/** The columns of a subscription that owes nothing. */
export const notPastDue: Row = {
  past_due_since: null,
  past_due_charge_id: null,
  tries_count: null,
  all_tries_count: null,
  next_try_at: null,
  dunning_ends_at: null,
};

type Patience = Pick<BillingPolicy, 'dunning_days'>;

/** When a charge is given up that has failed: counted from its first failure. */
export const givenUpAt = (
  { dunning_ends_at }: Row,
  { dunning_days }: Patience,
  now: Micros,
): string => dunning_ends_at ?? instantText(now + seconds(dunning_days * DAY_S));

/**
 * The columns of a subscription whose charge has failed. It is tried again as its decline says, `tries_count` being
 * how often it has failed before with the card that it has, until the merchant gives it up or all cards together were
 * tried as often as may be.
 */
export function pastDue(row: Row, charge: Row, policy: Patience, now: Micros): Row {
  const [tries, all] = row.past_due_since
    ? [Number(row.tries_count), Number(row.all_tries_count)]
    : [0, 0];
  const ends = givenUpAt(row, policy, now);
  const next = all + 1 < DUNNING_TRIES_MAX ? nextTry(charge.failure_reason, tries, now) : undefined;
  return {
    past_due_since: row.past_due_since ?? instantText(now),
    past_due_charge_id: charge.id as string,
    tries_count: String(tries + 1),
    all_tries_count: String(all + 1),
    next_try_at: next !== undefined && next < microsOf(ends) ? instantText(next) : null,
    dunning_ends_at: ends,
  };
}

/** A decline whose reason is not known by now may be one that networks forbid to try again. */
function nextTry(
  reason: string | null | undefined,
  tries: number,
  now: Micros,
): Micros | undefined {
  const code = reason ?? '';
  if (!isDeclineCode(code)) return undefined;
  const wait = dunningSchedule[declineClassOf(code)][tries];
  return wait === undefined ? undefined : now + seconds(wait);
}
