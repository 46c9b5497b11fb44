import type { ErrorSource } from '@florin/contract/errors.ts';
import { eventCode, isListed } from '@florin/contract/events.ts';
import type { RequestContext } from '../../../jsonapi/behaviour.ts';
import type { Model, Models } from '../../../jsonapi/model.ts';
import { requirePermission } from '../../../jsonapi/permissions.ts';

/**
 * Throws `forbidden` (403) unless the caller may read the types of all events that match the
 * patterns. Errors point to the attribute `events` by default.
 */
type RequireReadable = (
  ctx: RequestContext,
  patterns: readonly string[],
  source?: ErrorSource,
) => void;

/**
 * A delivery contains the event's record, so its subscriber must have the right to read it. A
 * wildcard requires the right to read every type that matches now.
 */
export function createRequireReadable({ all }: Models): RequireReadable {
  const included = all.filter(({ type }) => type !== 'webhook_subscriptions');
  const types = included.flatMap(codesOf);
  return (ctx, patterns, sourceOverride) => {
    for (const [index, pattern] of patterns.entries()) {
      const source = sourceOverride ?? { pointer: `/data/attributes/events/${index}` };
      const listed = types.filter(([code]) => isListed([pattern], code)).map(([, model]) => model);
      for (const model of new Set(listed)) requirePermission(ctx, model, 'read', source);
    }
  };
}

const codesOf = (model: Model): [string, Model][] => {
  const { events } = model.resource;
  return events ? events.slugs.map((slug) => [eventCode(events.scope, slug), model]) : [];
};
