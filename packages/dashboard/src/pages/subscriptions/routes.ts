import { definePage } from '../../parts/page/page.ts';

const texts = ['subscriptions', 'records', 'names'] as const;
const permission = 'transaction.payment_subscriptions.read';

export const subscriptionsPage = definePage({
  path: 'subscriptions',
  permission,
  texts,
  load: () => import('./subscriptions.tsx').then(({ Subscriptions }) => Subscriptions),
});

export const subscriptionPage = definePage({
  path: 'subscriptions/$id',
  permission,
  texts,
  load: () => import('./subscription.tsx').then(({ Subscription }) => Subscription),
});

export const subscriptionPages = [subscriptionsPage, subscriptionPage];
