import { definePage } from '../../parts/page/page.ts';

export const teamPage = definePage({
  path: 'team',
  permission: 'user.memberships.read',
  texts: ['team', 'names'],
  load: () => import('./team.tsx').then(({ Team }) => Team),
});

export const teamPages = [teamPage];
