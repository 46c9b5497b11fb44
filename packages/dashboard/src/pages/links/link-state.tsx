import { useScope } from '../../api/scope.ts';
import { StateBadge } from '../../parts/value/state-badge.tsx';

/** The state of a link. An active one that nobody can pay does not look active. */
export function LinkState({ status }: { readonly status: string }) {
  const { takes_payments } = useScope();
  return <StateBadge state={status === 'active' && !takes_payments ? 'no_processor' : status} />;
}
