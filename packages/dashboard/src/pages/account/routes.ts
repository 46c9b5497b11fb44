import { definePage } from '../../parts/page/page.ts';

export const accountPage = definePage({
  path: 'account',
  audience: 'account',
  texts: ['account'],
  load: () => import('./account.tsx').then(({ Account }) => Account),
});

export const accountPages = [accountPage];
