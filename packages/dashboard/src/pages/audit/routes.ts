import { definePage } from '../../parts/page/page.ts';

export const auditPage = definePage({
  path: 'audit',
  permission: 'user.memberships.read',
  texts: ['team'],
  load: () => import('./audit.tsx').then(({ Audit }) => Audit),
});

export const auditPages = [auditPage];
