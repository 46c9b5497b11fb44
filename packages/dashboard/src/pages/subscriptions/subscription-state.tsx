import type { RecordOf } from '../../api/types.ts';
import { StateBadge } from '../../parts/value/state-badge.tsx';

/** State of a subscription. Repeated failures are shown in place of `active`. */
export function SubscriptionState({
  subscription: { attributes },
}: {
  readonly subscription: RecordOf<'payment_subscriptions'>;
}) {
  return <StateBadge state={attributes.past_due_since ? 'past_due' : attributes.status} />;
}
