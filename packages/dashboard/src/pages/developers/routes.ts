import { definePage } from '../../parts/page/page.ts';
import { emailPath, SNIPPET_PATH } from './paths.ts';
import type english from './texts/en.json';

declare module '../../i18n/texts.ts' {
  interface Namespaces {
    readonly developers: typeof english;
  }
}

const texts = ['developers', 'records'] as const;
const READ_KEYS = 'user.merchant_tokens.read';
const READ_WEBHOOKS = 'developer.webhook_subscriptions.read';
const READ_DELIVERIES = 'developer.webhook_deliveries.read';
const READ_EVENTS = 'developer.events.read';
const READ_REQUESTS = 'developer.api_requests.read';

export const keysPage = definePage({
  path: 'developers/keys',
  permission: READ_KEYS,
  texts,
  load: () => import('./keys/keys.tsx').then(({ Keys }) => Keys),
});

export const keyPage = definePage({
  path: 'developers/keys/$id',
  permission: READ_KEYS,
  texts,
  load: () => import('./keys/key.tsx').then(({ Key }) => Key),
});

export const snippetPage = definePage({
  path: SNIPPET_PATH,
  texts,
  load: () => import('./snippet/snippet.tsx').then(({ Snippet }) => Snippet),
});

export const webhooksPage = definePage({
  path: 'developers/webhooks',
  permission: READ_WEBHOOKS,
  texts,
  load: () => import('./webhooks/webhooks.tsx').then(({ Webhooks }) => Webhooks),
});

export const webhookPage = definePage({
  path: 'developers/webhooks/$id',
  permission: READ_WEBHOOKS,
  texts,
  load: () => import('./webhooks/webhook.tsx').then(({ Webhook }) => Webhook),
});

export const deliveriesPage = definePage({
  path: 'developers/deliveries',
  permission: READ_DELIVERIES,
  texts,
  load: () => import('./webhooks/deliveries.tsx').then(({ Deliveries }) => Deliveries),
});

export const deliveryPage = definePage({
  path: 'developers/deliveries/$id',
  permission: READ_DELIVERIES,
  texts,
  load: () => import('./webhooks/delivery.tsx').then(({ Delivery }) => Delivery),
});

export const eventsPage = definePage({
  path: 'developers/events',
  permission: READ_EVENTS,
  texts,
  load: () => import('./events/events.tsx').then(({ Events }) => Events),
});

export const eventPage = definePage({
  path: 'developers/events/$id',
  permission: READ_EVENTS,
  texts,
  load: () => import('./events/event.tsx').then(({ EventDetail }) => EventDetail),
});

export const requestsPage = definePage({
  path: 'developers/requests',
  permission: READ_REQUESTS,
  texts,
  load: () => import('./requests/requests.tsx').then(({ Requests }) => Requests),
});

export const requestPage = definePage({
  path: 'developers/requests/$id',
  permission: READ_REQUESTS,
  texts,
  load: () => import('./requests/request.tsx').then(({ RequestDetail }) => RequestDetail),
});

export const sandboxPage = definePage({
  path: 'developers/sandbox',
  texts: [...texts, 'balance'],
  load: () => import('./sandbox/sandbox.tsx').then(({ Sandbox }) => Sandbox),
});

export const emailPage = definePage({
  path: emailPath('$id'),
  permission: 'consumer.emails.read',
  texts,
  load: () => import('./sandbox/email.tsx').then(({ Email }) => Email),
});

export const developerPages = [
  keysPage,
  keyPage,
  snippetPage,
  webhooksPage,
  webhookPage,
  deliveriesPage,
  deliveryPage,
  eventsPage,
  eventPage,
  requestsPage,
  requestPage,
  sandboxPage,
  emailPage,
];
