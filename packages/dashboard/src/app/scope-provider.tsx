import { useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo } from 'react';
import { useDashboard } from '../api/queries.ts';
import { type CurrentScope, ScopeContext, useMaybeScope } from '../api/scope.ts';
import { type Me, useMe } from '../api/session.ts';
import { type ProcessingModes, scopeOf } from './scope-of.ts';
import { startOf, storeScope } from './start.ts';

/** Reads merchant and mode from the address, so that links can be shared and two windows can differ. */
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

/** Returns the scope for header and menu. Pages of the account have none, so that they keep that of the last page. */
export function useLastingScope(): CurrentScope | undefined {
  const me = useMe();
  const scope = useMaybeScope();
  const [, merchant, mode] = startOf(me)?.split('/') ?? [];
  const membership = me.merchants.find(({ id }) => id === merchant);
  return scope ?? scopeOf(me, membership?.processing, merchant, mode);
}

/**
 * Returns the modes in which a processor takes the merchant's payments. For an operator without a membership, reads
 * them from the console.
 */
function useProcessing(me: Me, merchant: string | undefined): ProcessingModes | undefined {
  const membership = me.merchants.find(({ id }) => id === merchant);
  const enabled = merchant !== undefined && !membership && me.account.operator;
  const visited = useDashboard<{ readonly processing: ProcessingModes }>(
    `operator/merchants/${merchant}`,
    { enabled },
  );
  return (membership ?? visited.data)?.processing;
}
