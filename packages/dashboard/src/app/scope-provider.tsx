import { useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo } from 'react';
import { type CurrentScope, ScopeContext } from '../api/scope.ts';
import { type Me, useMe } from '../api/session.ts';
import { isMode } from '../api/types.ts';
import { keepScope } from './start.ts';

/** Takes merchant and mode from the address, so that links can be shared and two windows may differ. */
export function ScopeProvider({ children }: { readonly children: ReactNode }) {
  const me = useMe();
  const { merchant, mode } = useParams({ strict: false }) as { merchant?: string; mode?: string };
  const scope = useMemo(() => scopeOf(me, merchant, mode), [me, merchant, mode]);
  useEffect(() => {
    if (scope) keepScope(scope.merchant, scope.mode);
  }, [scope]);
  return <ScopeContext value={scope}>{children}</ScopeContext>;
}

/** Undefined where the address names no merchant, or one that the person has nothing to do with. */
function scopeOf(
  me: Me,
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
  };
}
