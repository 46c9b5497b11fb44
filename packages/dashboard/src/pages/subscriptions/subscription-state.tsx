import type { RecordOf } from '../../api/types.ts';
import { StateBadge } from '../../parts/value/state-badge.tsx';

/** One whose charge keeps failing says so in place of being active. */
export function SubscriptionState({
  subscription: { attributes },
}: {
  readonly subscription: RecordOf<'payment_subscriptions'>;
}) {
  return <StateBadge state={attributes.past_due_since ? 'past_due' : attributes.status} />;
}
