import { definePage } from '../../parts/page/page.ts';
import type english from './texts/en.json';

declare module '../../i18n/texts.ts' {
  interface Namespaces {
    readonly terminal: typeof english;
  }
}

/** Payment for an order by telephone: a member types what the customer says. */
export const newPaymentPage = definePage({
  path: 'payments/new',
  permission: 'transaction.payment_demands.create',
  texts: ['terminal', 'customers', 'payments', 'records', 'names'],
  load: () => import('./new-payment.tsx').then(({ NewPayment }) => NewPayment),
});

/** Subscription that a customer orders by telephone. */
export const newSubscriptionPage = definePage({
  path: 'subscriptions/new',
  permission: 'transaction.payment_subscriptions.create',
  texts: ['terminal', 'customers', 'subscriptions', 'payments', 'records', 'names'],
  load: () => import('./new-subscription.tsx').then(({ NewSubscription }) => NewSubscription),
});

export const terminalPages = [newPaymentPage, newSubscriptionPage];
