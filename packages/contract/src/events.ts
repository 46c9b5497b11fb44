import type { Resource } from './resources/define-resource.ts';

/** The name of a kind of event as webhook subscriptions list it: `transaction.payment_demands.succeeded`. */
export const eventCode = (scope: string, slug: string): string => `${scope}.${slug}`;

/** The event codes of a resource type, as a type. */
export type EventCodeOf<R extends Resource> = R extends {
  readonly events: {
    readonly scope: infer Scope extends string;
    readonly slugs: readonly (infer Slug extends string)[];
  };
}
  ? `${Scope}.${Slug}`
  : never;

/** Every event code that the resources declare, in the order of the registry. */
export const webhookCodes = (resources: Readonly<Record<string, Resource>>): readonly string[] =>
  Object.values(resources).flatMap(({ events }) =>
    events ? events.slugs.map((slug) => eventCode(events.scope, slug)) : [],
  );

/** The wildcards that stand for a code: all, all of its group, all of its type. */
export const wildcardsFor = (code: string): readonly string[] => {
  const parts = code.split('.');
  return parts.map((_, length) => [...parts.slice(0, length), '*'].join('.'));
};

/** Every wildcard that stands for some of the codes, each once. */
export const patternsOf = (codes: readonly string[]): readonly string[] => [
  ...new Set(codes.flatMap(wildcardsFor)),
];

/** Whether a code is one of the codes and wildcards that a subscription lists. */
export const isListed = (patterns: readonly string[], code: string): boolean =>
  patterns.includes(code) || wildcardsFor(code).some((pattern) => patterns.includes(pattern));
