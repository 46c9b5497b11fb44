import { definePage } from '../../parts/page/page.ts';
import type english from './texts/en.json';

declare module '../../i18n/texts.ts' {
  interface Namespaces {
    readonly audit: typeof english;
  }
}

export const auditPage = definePage({
  path: 'audit',
  permission: 'user.memberships.read',
  texts: ['audit', 'names', 'records'],
  load: () => import('./audit.tsx').then(({ Audit }) => Audit),
});

export const auditPages = [auditPage];
