import { definePage } from '../../parts/page/page.ts';
import type english from './texts/en.json';

declare module '../../i18n/texts.ts' {
  interface Namespaces {
    readonly disputes: typeof english;
  }
}

const texts = ['disputes', 'records', 'names'] as const;
const permission = 'transaction.disputes.read';

export const disputesPage = definePage({
  path: 'disputes',
  permission,
  texts: [...texts, 'payments'],
  load: () => import('./disputes.tsx').then(({ Disputes }) => Disputes),
});

export const disputePage = definePage({
  path: 'disputes/$id',
  permission,
  texts: [...texts, 'help', 'payments'],
  load: () => import('./dispute.tsx').then(({ Dispute }) => Dispute),
});

export const disputePages = [disputesPage, disputePage];
