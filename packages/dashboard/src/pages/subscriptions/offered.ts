import type { RecordOf } from '../../api/types.ts';

/** Actions on a subscription's page. */
export type SubscriptionAction =
  | 'change'
  | 'confirm'
  | 'retry'
  | 'pause'
  | 'resume'
  | 'keep'
  | 'customer_link'
  | 'revoke_customer_links'
  | 'update'
  | 'cancel';

const always = ['customer_link', 'revoke_customer_links'] as const;

/**
 * Whether periods due before the last pause are not yet billed. Until they are, the interface refuses another pause.
 */
const hasChargeInPause = ({
  next_billing_at,
  last_active_at,
}: RecordOf<'payment_subscriptions'>['attributes']): boolean =>
  Boolean(next_billing_at && last_active_at) &&
  Date.parse(next_billing_at as string) < Date.parse(last_active_at as string);

/** Returns the actions to offer in a state. The server decides whether an action is allowed. */
export function offeredTo({
  attributes,
}: RecordOf<'payment_subscriptions'>): readonly SubscriptionAction[] {
  const { status, confirmed, failure_reason, past_due_since, canceled_at_period_end } = attributes;
  const retry = failure_reason ? (['retry'] as const) : [];
  if (status === 'cancelled') return always;
  if (!confirmed) return ['confirm', 'update', 'cancel'];
  if (status === 'pending') return [...retry, ...always, 'update', 'cancel'];
  if (status === 'paused') return ['resume', ...always, 'update', 'cancel'];
  return [
    ...(past_due_since ? [] : (['change'] as const)),
    ...retry,
    ...(hasChargeInPause(attributes) ? [] : (['pause'] as const)),
    ...(canceled_at_period_end ? (['keep'] as const) : []),
    ...always,
    'update',
    'cancel',
  ];
}
