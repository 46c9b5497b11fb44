import { definePage } from '../../parts/page/page.ts';
import type english from './texts/en.json';

declare module '../../i18n/texts.ts' {
  interface Namespaces {
    readonly customers: typeof english;
  }
}

const permission = 'consumer.customers.read';

export const customersPage = definePage({
  path: 'records/customers',
  permission,
  texts: ['customers', 'terminal', 'records', 'names'],
  load: () => import('./customers.tsx').then(({ Customers }) => Customers),
});

export const customerPage = definePage({
  path: 'records/customers/$id',
  permission,
  texts: ['customers', 'subscriptions', 'links', 'terminal', 'records', 'names'],
  load: () => import('./customer.tsx').then(({ Customer }) => Customer),
});

export const customerPages = [customersPage, customerPage];
