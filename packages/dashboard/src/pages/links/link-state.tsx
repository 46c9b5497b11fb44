import { useScope } from '../../api/scope.ts';
import { StateBadge } from '../../parts/value/state-badge.tsx';

/** State of a payment link. Without a processor an active link cannot be paid, and its state shows that. */
export function LinkState({ status }: { readonly status: string }) {
  const { takes_payments } = useScope();
  return <StateBadge state={status === 'active' && !takes_payments ? 'no_processor' : status} />;
}
