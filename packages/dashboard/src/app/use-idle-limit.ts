import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { watchActivity } from '../api/activity.ts';
import { meQuery, useMe } from '../api/session.ts';

/** Opens the sign-in over the page once the session has ended for want of use, and keeps it alive during typing. */
export function useIdleLimit(): void {
  const queries = useQueryClient();
  const { idle_seconds } = useMe().session;
  useEffect(
    () =>
      watchActivity({
        idle_ms: idle_seconds * 1_000,
        ask: () => void queries.fetchQuery({ ...meQuery, staleTime: 0 }).catch(() => undefined),
      }),
    [queries, idle_seconds],
  );
}
