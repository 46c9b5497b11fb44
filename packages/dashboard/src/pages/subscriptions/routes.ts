import { definePage } from '../../parts/page/page.ts';
import type english from './texts/en.json';

declare module '../../i18n/texts.ts' {
  interface Namespaces {
    readonly subscriptions: typeof english;
  }
}

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
