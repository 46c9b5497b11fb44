import { permissionSlug } from '@florin/contract/permissions.ts';
import { useRegistry } from '../../api/registry.ts';
import { useCan } from '../../api/scope.ts';

/** Whether the person may read refunds, and so the figures of a period. */
export function useMayReadRefunds(): boolean {
  const { refund_demands } = useRegistry();
  return useCan()(permissionSlug(refund_demands, 'read'));
}
