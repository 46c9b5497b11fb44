import { type CurrentScope, holds } from '../api/scope.ts';
import type { Me, Membership } from '../api/session.ts';
import { isMode } from '../api/types.ts';
import type { Page } from '../parts/page/page.ts';

export type ProcessingModes = Membership['processing'];

/** Returns undefined if the address contains no merchant, or a merchant without access for the person. */
export function scopeOf(
  me: Me,
  processing: ProcessingModes | undefined,
  merchant: string | undefined,
  mode: string | undefined,
): CurrentScope | undefined {
  if (!merchant || !isMode(mode)) return undefined;
  const membership = me.merchants.find(({ id }) => id === merchant);
  if (!membership && !me.account.operator) return undefined;
  return {
    merchant,
    mode,
    business_name: membership?.business_name ?? '',
    permissions: membership?.modes.includes(mode) ? membership.permissions : [],
    is_visit: !membership,
    standing: membership?.standing[mode],
    takes_payments: processing?.[mode] ?? true,
    live_takes_payments: processing?.live ?? true,
  };
}

/** Returns the scope if the person may open the page there: with the permissions, and the second factor that is due. */
export function openScope(
  page: Pick<Page, 'permission' | 'isAllowed'>,
  me: Me | undefined,
  merchant: string | undefined,
  mode: string | undefined,
): CurrentScope | undefined {
  const membership = me?.merchants.find(({ id }) => id === merchant);
  const scope = me && scopeOf(me, membership?.processing, merchant, mode);
  if (!scope || !holds(scope, page.permission) || page.isAllowed?.(scope) === false)
    return undefined;
  return mode === 'live' && membership?.live_needs_factor?.is_due ? undefined : scope;
}
