import { definePage } from '../../parts/page/page.ts';
import type english from './texts/en.json';

declare module '../../i18n/texts.ts' {
  interface Namespaces {
    readonly business: typeof english;
  }
}

const texts = ['business', 'names', 'records'] as const;

export const businessPage = definePage({
  path: 'business',
  permission: 'user.merchants.read',
  texts,
  load: () => import('./business.tsx').then(({ Business }) => Business),
});

export const alertsPage = definePage({
  path: 'alerts',
  permission: 'user.account_alerts.read',
  texts,
  load: () => import('./alerts.tsx').then(({ Alerts }) => Alerts),
});

export const redFlagsPage = definePage({
  path: 'red-flags',
  permission: 'user.red_flags.read',
  texts,
  load: () => import('./red-flags.tsx').then(({ RedFlags }) => RedFlags),
});

export const businessPages = [businessPage, alertsPage, redFlagsPage];
