import type { Resource } from './resources/define-resource.ts';

/** Code of an event kind, as in webhook subscriptions: `transaction.payment_demands.succeeded`. */
export const eventCode = (scope: string, slug: string): string => `${scope}.${slug}`;

/** Event codes of a resource type, as a TypeScript type. */
export type EventCodeOf<R extends Resource> = R extends {
  readonly events: {
    readonly scope: infer Scope extends string;
    readonly slugs: readonly (infer Slug extends string)[];
  };
}
  ? `${Scope}.${Slug}`
  : never;

/** Event codes of all resources, in the order of the registry. */
export const webhookCodes = (resources: Readonly<Record<string, Resource>>): readonly string[] =>
  Object.values(resources).flatMap(({ events }) =>
    events ? events.slugs.map((slug) => eventCode(events.scope, slug)) : [],
  );

/** Wildcards that match an event code: of all events, its group and its type. */
export const wildcardsFor = (code: string): readonly string[] => {
  const segments = code.split('.');
  return segments.map((_, length) => [...segments.slice(0, length), '*'].join('.'));
};

/** All wildcards that match at least one of the codes, without repeats. */
export const patternsOf = (codes: readonly string[]): readonly string[] => [
  ...new Set(codes.flatMap(wildcardsFor)),
];

/** Whether the codes and wildcards of a webhook subscription include an event code. */
export const isListed = (patterns: readonly string[], code: string): boolean =>
  patterns.includes(code) || wildcardsFor(code).some((pattern) => patterns.includes(pattern));
