import type { RecordOf } from '../../api/types.ts';
import { StateBadge } from '../../parts/value/state-badge.tsx';

/** State of a subscription. While a charge fails, the badge shows that instead of `active`. */
export function SubscriptionState({
  subscription: { attributes },
}: {
  readonly subscription: RecordOf<'payment_subscriptions'>;
}) {
  return <StateBadge state={attributes.past_due_since ? 'past_due' : attributes.status} />;
}
