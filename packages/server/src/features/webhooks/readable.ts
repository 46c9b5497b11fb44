import { eventCode } from '@florin/contract/events.ts';
import type { RequestContext } from '../../jsonapi/behaviour.ts';
import type { Model, Models } from '../../jsonapi/model.ts';
import { requirePermission } from '../../jsonapi/permissions.ts';

/** Throws `forbidden` (403) unless the caller may read the types of all these events. */
type RequireReadable = (ctx: RequestContext, codes: readonly string[]) => void;

/** A delivery holds the record that it tells of, so that who chooses what is sent where must be able to read it. */
export function createRequireReadable({ all }: Models): RequireReadable {
  const types = new Map(all.flatMap(codesOf));
  return (ctx, codes) => {
    for (const [index, code] of codes.entries()) {
      const type = types.get(code);
      const source = { pointer: `/data/attributes/events/${index}` };
      if (type) requirePermission(ctx, type, 'read', source);
    }
  };
}

const codesOf = (model: Model): [string, Model][] => {
  const { events } = model.resource;
  return events ? events.slugs.map((slug) => [eventCode(events.scope, slug), model]) : [];
};
