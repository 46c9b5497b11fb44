import { definePage } from '../../parts/page/page.ts';
import type english from './texts/en.json';

declare module '../../i18n/texts.ts' {
  interface Namespaces {
    readonly customers: typeof english;
  }
}

/** Only the detail page is specific: the generic record list shows customers. */
export const customerPage = definePage({
  path: 'records/customers/$id',
  permission: 'consumer.customers.read',
  texts: ['customers', 'records', 'names'],
  load: () => import('./customer.tsx').then(({ Customer }) => Customer),
});

export const customerPages = [customerPage];
