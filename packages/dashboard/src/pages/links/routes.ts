import { definePage } from '../../parts/page/page.ts';
import type english from './texts/en.json';

declare module '../../i18n/texts.ts' {
  interface Namespaces {
    readonly links: typeof english;
  }
}

const texts = ['links', 'records', 'names'] as const;
const permission = 'transaction.payment_links.read';

export const linksPage = definePage({
  path: 'payment-links',
  permission,
  texts: [...texts, 'terminal'],
  load: () => import('./links.tsx').then(({ PaymentLinks }) => PaymentLinks),
});

export const linkPage = definePage({
  path: 'payment-links/$id',
  permission,
  texts,
  load: () => import('./link.tsx').then(({ PaymentLink }) => PaymentLink),
});

export const linkPages = [linksPage, linkPage];
