import { useScope } from '../../api/scope.ts';
import { StateBadge } from '../../parts/value/state-badge.tsx';

/** State of a link. An active link that cannot be paid does not look active. */
export function LinkState({ status }: { readonly status: string }) {
  const { takes_payments } = useScope();
  return <StateBadge state={status === 'active' && !takes_payments ? 'no_processor' : status} />;
}
