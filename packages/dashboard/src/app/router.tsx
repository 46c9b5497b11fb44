import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { type ComponentType, createElement } from 'react';
import { isStatus } from '../api/errors.ts';
import { meQuery } from '../api/session.ts';
import { firstLanguage } from '../i18n/languages.ts';
import { loadTexts } from '../i18n/texts.ts';
import { Loading } from '../parts/feedback/loading.tsx';
import type { Page } from '../parts/page/page.ts';
import { Broken } from './broken.tsx';
import { Guarded } from './guarded.tsx';
import { NotFound, NotFoundPage } from './not-found.tsx';
import { pages } from './pages.ts';
import { queries } from './query-client.ts';
import { openScope } from './scope-of.ts';
import { startOf } from './start.ts';

const BASE = '/dashboard';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage });

/** Parent of all routes behind the sign-in. The sign-in leads back to the requested address. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: lazyRouteComponent(() => import('./frame/frame.tsx'), 'Frame'),
  beforeLoad: async ({ location }) => {
    try {
      await queries.ensureQueryData(meQuery);
    } catch (error) {
      if (!isStatus(error, 401)) throw error;
      throw redirect({ to: '/sign-in', search: { to: location.href } });
    }
  },
});

const startRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: lazyRouteComponent(() => import('./no-merchant.tsx'), 'NoMerchant'),
  beforeLoad: async () => {
    const me = await queries.ensureQueryData(meQuery);
    const to = startOf(me);
    if (to) throw redirect({ to, replace: true });
  },
});

const ofMerchant = createRoute({
  getParentRoute: () => signedIn,
  path: '$merchant/$mode',
  component: Outlet,
});

const parents = { public: root, account: signedIn, operator: signedIn, merchant: ofMerchant };

function routeOf(page: Page): AnyRoute {
  const { audience = 'merchant', path, texts = [], load, ahead } = page;
  const loadGuarded = async (): Promise<{ default: ComponentType }> => {
    const loadingTexts = texts.map((namespace) => loadTexts(firstLanguage(), namespace));
    // A page without its texts would suspend, and React shows what was suspended 300 ms later at the earliest.
    const [Component] = await Promise.all([load(), ...loadingTexts]);
    return { default: () => createElement(Guarded, { page }, createElement(Component)) };
  };
  return createRoute({
    getParentRoute: () => parents[audience],
    path: path === '' ? '/' : path,
    component: lazyRouteComponent(loadGuarded),
    loader: ({ params, location }) => {
      const { merchant, mode } = params as Readonly<Record<string, string>>;
      const scope =
        ahead && openScope(page, queries.getQueryData(meQuery.queryKey), merchant, mode);
      if (scope) ahead?.(queries, scope, location.search);
    },
  });
}

const routesBelow = (parent: AnyRoute): AnyRoute[] =>
  pages.filter(({ audience = 'merchant' }) => parents[audience] === parent).map(routeOf);

const routes = root.addChildren([
  ...routesBelow(root),
  signedIn.addChildren([
    startRoute,
    ...routesBelow(signedIn),
    ofMerchant.addChildren(routesBelow(ofMerchant)),
  ]),
]);

export const router = createRouter({
  routeTree: routes,
  basepath: BASE,
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultErrorComponent: Broken,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
  // List parameters stay unparsed, because they are query parameters of the interface.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text && `?${text}`;
  },
});
