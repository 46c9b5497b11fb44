import { meQuery } from '../api/session.ts';
import { numberFormat } from '../i18n/format-text.ts';
import { firstLanguage } from '../i18n/languages.ts';
import { loadTexts } from '../i18n/texts.ts';
import { queries } from './query-client.ts';
import { router } from './router.tsx';
import { hasVisited } from './start.ts';

/**
 * Starts every download of the first page immediately: person, page code, frame and texts. Otherwise each download
 * would wait for the previous one.
 */
export function preloadFirstPage(): void {
  void loadTexts(firstLanguage(), 'common');
  const { pathname } = router.latestLocation;
  const [matched] = router.getMatchedRoutes(pathname);
  // A first visit to the start page leads to the sign-in.
  const isNew = pathname === '/' && !hasVisited();
  const [likely] = isNew ? router.getMatchedRoutes('/sign-in') : [matched];
  for (const { options } of likely) void options.component?.preload?.();
  const isPublic = !matched.some(({ id }) => id.includes('signed-in'));
  if (!isPublic) void queries.prefetchQuery(meQuery);
  // The first formatter takes long to make. The page waits for its downloads now.
  setTimeout(() => numberFormat(firstLanguage()), 0);
}
