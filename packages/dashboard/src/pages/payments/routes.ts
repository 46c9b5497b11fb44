import { definePage } from '../../parts/page/page.ts';
import type english from './texts/en.json';

declare module '../../i18n/texts.ts' {
  interface Namespaces {
    readonly payments: typeof english;
  }
}

const texts = ['payments', 'home', 'records', 'names'] as const;
const permission = 'transaction.payment_demands.read';

export const paymentsPage = definePage({
  path: 'payments',
  permission,
  texts,
  load: () => import('./payments.tsx').then(({ Payments }) => Payments),
});

export const paymentPage = definePage({
  path: 'payments/$id',
  permission,
  texts: [...texts, 'customers'],
  load: () => import('./detail/payment.tsx').then(({ Payment }) => Payment),
});

export const paymentPages = [paymentsPage, paymentPage];
