import type { Resource } from './resources/define-resource.ts';

/** The name of a kind of event as webhook subscriptions list it: `transaction.payment_demands.succeeded`. */
export const eventCode = (scope: string, slug: string): string => `${scope}.${slug}`;

/** Every event code that the resources declare, in the order of the registry. */
export const webhookCodes = (resources: Readonly<Record<string, Resource>>): readonly string[] =>
  Object.values(resources).flatMap(({ events }) =>
    events ? events.slugs.map((slug) => eventCode(events.scope, slug)) : [],
  );
