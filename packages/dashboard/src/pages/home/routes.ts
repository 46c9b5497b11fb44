import { definePage } from '../../parts/page/page.ts';
import { attentionQuery } from './attention-query.ts';
import { prefetchFirstSteps } from './load-first-steps.ts';
import { overviewQuery } from './overview.ts';
import { attentionItems, hasFigures, hasFirstSteps, hasHome } from './parts.ts';
import { rangeOf, rangeOfWeeks } from './span.ts';
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
    const shown = rangeOf(range);
    const overviews = [
      overviewQuery(scope, shown, 'now'),
      overviewQuery(scope, shown, 'before'),
      ...(shown === rangeOfWeeks(shown) ? [] : [overviewQuery(scope, rangeOfWeeks(shown), 'now')]),
    ];
    if (hasFigures(scope)) for (const query of overviews) void queries.prefetchQuery(query);
    for (const item of attentionItems(scope))
      void queries.prefetchQuery(attentionQuery(scope, item));
    if (hasFirstSteps(scope)) prefetchFirstSteps(queries, scope);
  },
});

export const homePages = [homePage];
