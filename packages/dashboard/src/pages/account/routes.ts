import { definePage } from '../../parts/page/page.ts';
import type english from './texts/en.json';

declare module '../../i18n/texts.ts' {
  interface Namespaces {
    readonly account: typeof english;
  }
}

export const accountPage = definePage({
  path: 'account',
  audience: 'account',
  texts: ['account'],
  load: () => import('./account.tsx').then(({ Account }) => Account),
});

export const accountPages = [accountPage];
