import { useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo } from 'react';
import { useDashboard } from '../api/queries.ts';
import { type CurrentScope, ScopeContext } from '../api/scope.ts';
import { type Me, type Membership, useMe } from '../api/session.ts';
import { isMode } from '../api/types.ts';
import { storeScope } from './start.ts';

type Processing = Membership['processing'];

/** Reads merchant and mode from the address, so links can be shared and two windows can differ. */
export function ScopeProvider({ children }: { readonly children: ReactNode }) {
  const me = useMe();
  const { merchant, mode } = useParams({ strict: false }) as { merchant?: string; mode?: string };
  const processing = useProcessing(me, merchant);
  const scope = useMemo(
    () => scopeOf(me, processing, merchant, mode),
    [me, processing, merchant, mode],
  );
  useEffect(() => {
    if (scope) storeScope(scope.merchant, scope.mode);
  }, [scope]);
  return <ScopeContext value={scope}>{children}</ScopeContext>;
}

/**
 * Modes in which a processor takes the merchant's payments. For merchants that an operator visits, the console knows.
 */
function useProcessing(me: Me, merchant: string | undefined): Processing | undefined {
  const membership = me.merchants.find(({ id }) => id === merchant);
  const enabled = merchant !== undefined && !membership && me.account.operator;
  const visited = useDashboard<{ readonly processing: Processing }>(
    `operator/merchants/${merchant}`,
    { enabled },
  );
  return (membership ?? visited.data)?.processing;
}

/** Returns undefined when the address names no merchant, or one that the person has no access to. */
function scopeOf(
  me: Me,
  processing: Processing | undefined,
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
