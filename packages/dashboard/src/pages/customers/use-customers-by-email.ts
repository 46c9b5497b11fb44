import { useQuery } from '@tanstack/react-query';
import { callDashboard } from '../../api/client.ts';
import { type FetchedPage, keyOf } from '../../api/queries.ts';
import { useScope } from '../../api/scope.ts';
import type { RecordOf } from '../../api/types.ts';

/** Returns the two oldest customers with an email address, in any case. None while they are loading. */
export function useCustomersByEmail(
  email: string,
  { isEnabled }: { readonly isEnabled: boolean },
): readonly RecordOf<'customers'>[] {
  const scope = useScope();
  const { data } = useQuery({
    queryKey: keyOf(scope, 'customers', 'email', email),
    queryFn: ({ signal }) =>
      callDashboard<FetchedPage<'customers'>>(`customers?${new URLSearchParams({ email })}`, {
        scope,
        signal,
      }),
    enabled: isEnabled && email !== '',
  });
  return data?.data ?? [];
}
