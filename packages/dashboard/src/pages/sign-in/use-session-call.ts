import { useMutation } from '@tanstack/react-query';
import { callDashboard } from '../../api/client.ts';

/** A step of signing in. What the page shows is not read again for it: there may be no session yet. */
export const useSessionCall = <B extends object, D = unknown>(path: string) =>
  useMutation({ mutationFn: (body: B) => callDashboard<D>(path, { method: 'POST', body }) });
