import { meQuery } from '../api/session.ts';
import { numberFormat } from '../i18n/format-text.ts';
import { firstLanguage } from '../i18n/languages.ts';
import { loadTexts } from '../i18n/texts.ts';
import { queries } from './query-client.ts';
import { router } from './router.tsx';
import { hasVisited } from './start.ts';

/** Time after which the page is rendered with what has arrived. */
const WAIT_MAX_MS = 1_500;

/**
 * Loads person, page code, frame and texts of the first page, all at the same time. Resolves when the page can be rendered
 * as a whole: React shows parts that were suspended 300 ms later at the earliest. Resolves also if a download fails, so
 * that the page reports it.
 */
export async function loadFirstPage(): Promise<void> {
  const loading = [loadTexts(firstLanguage(), 'common'), router.load()];
  startDownloads();
  await Promise.race([Promise.allSettled(loading), sleep(WAIT_MAX_MS)]);
}

/** Starts downloads for which the router would wait until it knows the person. */
function startDownloads(): void {
  const { pathname } = router.latestLocation;
  const [matched] = router.getMatchedRoutes(pathname);
  // A first visit to the start page leads to the sign-in.
  const isNew = pathname === '/' && !hasVisited();
  const [likely] = isNew ? router.getMatchedRoutes('/sign-in') : [matched];
  for (const { options } of likely) void options.component?.preload?.();
  const isPublic = !matched.some(({ id }) => id.includes('signed-in'));
  if (!isPublic) void queries.prefetchQuery(meQuery);
  // The first formatter takes long to make. The page waits for its downloads now. The sign-in needs none.
  if (!isPublic && !isNew) setTimeout(() => numberFormat(firstLanguage()), 0);
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
