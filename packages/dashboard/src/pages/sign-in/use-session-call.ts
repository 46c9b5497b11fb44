import { useMutation } from '@tanstack/react-query';
import { callDashboard } from '../../api/client.ts';

/** A request of the sign-in. Refreshes no queries, because there may be no session. */
export const useSessionCall = <B extends object, D = unknown>(path: string) =>
  useMutation({ mutationFn: (body: B) => callDashboard<D>(path, { method: 'POST', body }) });
