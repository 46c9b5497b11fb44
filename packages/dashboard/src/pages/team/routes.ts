import { definePage } from '../../parts/page/page.ts';
import type english from './texts/en.json';

declare module '../../i18n/texts.ts' {
  interface Namespaces {
    readonly team: typeof english;
  }
}

export const teamPage = definePage({
  path: 'team',
  permission: 'user.memberships.read',
  texts: ['team', 'names'],
  load: () => import('./team.tsx').then(({ Team }) => Team),
});

export const teamPages = [teamPage];
