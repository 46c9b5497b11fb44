import { defineAdapter } from '../../port/define-adapter.ts';
import { checkoutDisputeAnswers } from './dispute-answers.ts';
import { checkoutEgressOf } from './egress.ts';
import { checkoutAnswers } from './map-answer.ts';
import { checkoutRequests } from './map-request.ts';
import { checkoutMetadata } from './metadata.ts';
import { checkoutNotifications } from './notifications.ts';
import { checkoutReports } from './reports.ts';

/** The adapter to Checkout.com, for accounts on its current platform (NAS). */
export const checkoutAdapter = defineAdapter({
  metadata: checkoutMetadata,
  mapRequest: checkoutRequests,
  mapAnswer: checkoutAnswers,
  notifications: checkoutNotifications,
  answers: checkoutDisputeAnswers,
  egress: checkoutEgressOf,
  reports: checkoutReports,
  origins: ({ settings }) => [new URL(settings.api_url as string).origin],
});
