import { defineAdapter } from '../../port/define-adapter.ts';
import { adyenEgressOf } from './egress.ts';
import { adyenAnswers } from './map-answer.ts';
import { adyenRequests } from './map-request.ts';
import { adyenMetadata } from './metadata.ts';
import { adyenNotifications } from './notifications.ts';
import { adyenReports } from './reports.ts';

/** The adapter to Adyen: Checkout API, and standard webhooks. */
export const adyenAdapter = defineAdapter({
  metadata: adyenMetadata,
  mapRequest: adyenRequests,
  mapAnswer: adyenAnswers,
  notifications: adyenNotifications,
  reports: adyenReports,
  egress: adyenEgressOf,
  origins: ({ settings }) =>
    [settings.api_url, settings.report_url].flatMap((url) => (url ? [new URL(url).origin] : [])),
});
