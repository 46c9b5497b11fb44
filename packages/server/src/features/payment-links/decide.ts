import { problem } from '@florin/contract/errors.ts';
import type { RequestContext } from '../../jsonapi/behaviour.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import { isLocalHost } from '../merchants/origins.ts';
import { checkChangedPurchase } from '../payments/line-items.ts';
import type { Decision } from '../records/updater.ts';
import { wrongState } from '../records/wrong-state.ts';
import { checkChangedAmount } from '../risk/amounts.ts';

/**
 * Seconds within which a begun payment can be completed, even if its link has expired meanwhile.
 */
export const COMPLETION_SECONDS = 30 * 60;

/** State of a link for payers. */
export type Availability = 'open' | 'expired' | 'used_up';

export function availabilityOf({ status, expires_at }: Row, now: Micros): Availability {
  if (status === 'used_up') return 'used_up';
  const isExpired = status === 'expired' || (!!expires_at && microsOf(expires_at) <= now);
  return isExpired ? 'expired' : 'open';
}

/** Whether a payment that began at `begun_at` can still be completed. */
export function mayComplete(link: Row, begun_at: Micros, now: Micros): boolean {
  const availability = availabilityOf(link, now);
  if (availability === 'expired') return now < begun_at + seconds(COMPLETION_SECONDS);
  return availability === 'open';
}

const pointerTo = (attribute: string) => ({ pointer: `/data/attributes/${attribute}` });

/** Throws 422 for an expiry in the past and for a forbidden redirect address. */
export function checkLink({ expires_at, success_url }: Row, mode: string, now: Micros): void {
  if (expires_at && microsOf(expires_at) <= now) {
    throw problem('invalid', 'expires_at must be in the future.', pointerTo('expires_at'));
  }
  if (success_url && !isAllowedTarget(success_url, mode)) {
    const detail =
      mode === 'live'
        ? 'success_url must be an https address without a user name.'
        : 'success_url must be an https address without a user name. The sandbox also accepts http://localhost.';
    throw problem('url_not_allowed', detail, pointerTo('success_url'));
  }
}

function isAllowedTarget(target: string, mode: string): boolean {
  const { protocol, hostname, username, password } = new URL(target);
  if (username || password) return false;
  return protocol === 'https:' || (mode === 'sandbox' && isLocalHost(hostname));
}

/**
 * Decides the update of a link; begun payments keep their price. Throws 405 for an expired link.
 */
export function decideUpdate(ctx: RequestContext, row: Row, columns: Row, now: Micros): Decision {
  if (row.status === 'expired') {
    throw wrongState({ noun: 'payment link', state: 'expired', actions: [] }, 'an update');
  }
  checkChangedAmount(ctx, row, columns);
  checkChangedPurchase(row, columns);
  checkLink(columns, row.mode as string, now);
  const changedLink = { ...row, ...columns };
  const remainingUses = usesLeft(changedLink);
  if (remainingUses < 0) {
    const limit = Number(row.uses_count);
    const detail = `The link was already paid ${limit} times, so uses_max must be at least ${limit}.`;
    throw problem('too_small', detail, pointerTo('uses_max'), { meta: { limit } });
  }
  const usedColumns = usedBy(changedLink, now);
  return { ...usedColumns, set: { ...columns, ...usedColumns.set } };
}

/** Decides the permanent end of a link; has no effect on an expired link. */
export const decideExpire = (row: Row, now: Micros): Decision =>
  row.status === 'expired'
    ? { set: {}, events: [] }
    : { trigger: 'expire', set: { ended_at: row.ended_at ?? instantText(now) }, events: [] };

/**
 * Decides a link's state after further successful payments. Payments count even if the link has
 * ended meanwhile.
 */
export function decideUses(row: Row, addedUses: number, now: Micros): Decision {
  const uses_count = String(Number(row.uses_count) + addedUses);
  const usedColumns = usedBy({ ...row, uses_count }, now);
  return { ...usedColumns, set: { uses_count, ...usedColumns.set } };
}

/** Number of uses left; infinite for links without a limit. */
const usesLeft = ({ uses_max = null, uses_count }: Row): number =>
  uses_max === null ? Number.POSITIVE_INFINITY : Number(uses_max) - Number(uses_count);

/** Changes the state of a link to match its number of uses. */
function usedBy(row: Row, now: Micros): Decision {
  const isUsedUp = usesLeft(row) <= 0;
  if (row.status === 'active' && isUsedUp) {
    return { trigger: 'use_up', set: { ended_at: instantText(now) }, events: [] };
  }
  if (row.status === 'used_up' && !isUsedUp) {
    return { trigger: 'refill', set: { ended_at: null }, events: [] };
  }
  return { set: {}, events: [] };
}
