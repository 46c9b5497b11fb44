import { meQuery } from '../api/session.ts';
import { firstLanguage } from '../i18n/languages.ts';
import { loadTexts } from '../i18n/texts.ts';
import { queries } from './query-client.ts';
import { router } from './router.tsx';
import { wasHere } from './start.ts';

/**
 * Asks at once for what the first page will want, which would otherwise wait for one another: who is signed in, the code
 * of the page and of what is around it, and texts.
 */
export function loadAhead(): void {
  void loadTexts(firstLanguage(), 'common');
  const { pathname } = router.latestLocation;
  const [matched] = router.getMatchedRoutes(pathname);
  // Who comes without an address and was never here will have to sign in.
  const isNew = pathname === '/' && !wasHere();
  const [likely] = isNew ? router.getMatchedRoutes('/sign-in') : [matched];
  for (const { options } of likely) void options.component?.preload?.();
  const isPublic = !matched.some(({ id }) => id.includes('signed-in'));
  if (!isPublic) void queries.prefetchQuery(meQuery);
}
