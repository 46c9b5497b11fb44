import { defineAdapter } from '../../port/define-adapter.ts';
import { adyenDisputeAnswers } from './dispute-answers.ts';
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
  answers: adyenDisputeAnswers,
  egress: adyenEgressOf,
  origins: ({ settings }) => [
    ...new Set(
      [settings.api_url, settings.report_url, settings.disputes_url].flatMap((url) =>
        url ? [new URL(url).origin] : [],
      ),
    ),
  ],
});
