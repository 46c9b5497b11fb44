import { definePage } from '../../parts/page/page.ts';

export const homePage = definePage({
  path: '',
  texts: ['home'],
  load: () => import('./home.tsx').then(({ Home }) => Home),
});

export const homePages = [homePage];
