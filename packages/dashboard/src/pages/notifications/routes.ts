import { definePage } from '../../parts/page/page.ts';
import type english from './texts/en.json';

declare module '../../i18n/texts.ts' {
  interface Namespaces {
    readonly notifications: typeof english;
  }
}

export const notificationsPage = definePage({
  path: 'notifications',
  texts: ['notifications'],
  load: () => import('./notifications.tsx').then(({ Notifications }) => Notifications),
});

export const notificationPages = [notificationsPage];
