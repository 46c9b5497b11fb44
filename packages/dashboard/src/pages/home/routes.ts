import { definePage } from '../../parts/page/page.ts';
import { overviewQuery } from './overview.ts';
import { hasFigures, hasHome } from './parts.ts';
import { rangeOf } from './span.ts';
import type english from './texts/en.json';

declare module '../../i18n/texts.ts' {
  interface Namespaces {
    readonly home: typeof english;
  }
}

export const homePage = definePage({
  path: '',
  isAllowed: hasHome,
  texts: ['home'],
  load: () => import('./home.tsx').then(({ Home }) => Home),
  ahead: (queries, scope, { range }) => {
    if (!hasFigures(scope)) return;
    for (const when of ['now', 'before'] as const)
      void queries.prefetchQuery(overviewQuery(scope, rangeOf(range), when));
  },
});

export const homePages = [homePage];
