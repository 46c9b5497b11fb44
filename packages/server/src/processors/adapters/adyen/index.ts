import { defineAdapter } from '../../port/define-adapter.ts';
import { adyenEgressOf } from './egress.ts';
import { adyenAnswers } from './map-answer.ts';
import { adyenRequests } from './map-request.ts';
import { adyenMetadata } from './metadata.ts';
import { adyenNotifications } from './notifications.ts';

/** The adapter to Adyen: Checkout API, and standard webhooks. */
export const adyenAdapter = defineAdapter({
  metadata: adyenMetadata,
  mapRequest: adyenRequests,
  mapAnswer: adyenAnswers,
  notifications: adyenNotifications,
  egress: adyenEgressOf,
  origins: ({ settings }) => [new URL(settings.api_url as string).origin],
});
