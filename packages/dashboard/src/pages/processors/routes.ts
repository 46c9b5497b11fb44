import { definePage } from '../../parts/page/page.ts';
import type english from './texts/en.json';

declare module '../../i18n/texts.ts' {
  interface Namespaces {
    readonly processors: typeof english;
  }
}

const texts = ['processors', 'processor-fields', 'names', 'records', 'operator'] as const;

export const processorAccountsPage = definePage({
  path: 'operator/processors',
  audience: 'operator',
  is_of_one_cell: true,
  texts,
  load: () => import('./accounts/accounts.tsx').then(({ ProcessorAccounts }) => ProcessorAccounts),
});

export const newProcessorAccountPage = definePage({
  path: 'operator/processors/new',
  audience: 'operator',
  is_of_one_cell: true,
  texts,
  load: () =>
    import('./form/new-account.tsx').then(({ NewProcessorAccount }) => NewProcessorAccount),
});

export const processorAccountPage = definePage({
  path: 'operator/processors/$id',
  audience: 'operator',
  is_of_one_cell: true,
  texts,
  load: () =>
    import('./accounts/account.tsx').then(({ ProcessorAccountPage }) => ProcessorAccountPage),
});

export const editProcessorAccountPage = definePage({
  path: 'operator/processors/$id/edit',
  audience: 'operator',
  is_of_one_cell: true,
  texts,
  load: () =>
    import('./form/edit-account.tsx').then(({ EditProcessorAccount }) => EditProcessorAccount),
});

export const routingPage = definePage({
  path: 'operator/routing',
  audience: 'operator',
  is_of_one_cell: true,
  texts,
  load: () => import('./routing/routing.tsx').then(({ Routing }) => Routing),
});

export const processorNotificationsPage = definePage({
  path: 'operator/notifications',
  audience: 'operator',
  is_of_one_cell: true,
  texts,
  load: () =>
    import('./notifications/notifications.tsx').then(
      ({ ProcessorNotifications }) => ProcessorNotifications,
    ),
});

export const processorNotificationPage = definePage({
  path: 'operator/notifications/$id',
  audience: 'operator',
  is_of_one_cell: true,
  texts,
  load: () =>
    import('./notifications/notification.tsx').then(
      ({ ProcessorNotification }) => ProcessorNotification,
    ),
});

export const processorReportsPage = definePage({
  path: 'operator/reports',
  audience: 'operator',
  is_of_one_cell: true,
  texts,
  load: () => import('./reports/reports.tsx').then(({ ProcessorReports }) => ProcessorReports),
});

export const processorReportPage = definePage({
  path: 'operator/reports/$id',
  audience: 'operator',
  is_of_one_cell: true,
  texts,
  load: () => import('./reports/report.tsx').then(({ ProcessorReport }) => ProcessorReport),
});

export const processorPages = [
  processorAccountsPage,
  newProcessorAccountPage,
  processorAccountPage,
  editProcessorAccountPage,
  routingPage,
  processorNotificationsPage,
  processorNotificationPage,
  processorReportsPage,
  processorReportPage,
];
