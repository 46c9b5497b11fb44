import type { Behaviour, Behaviours, RequestContext } from '../../jsonapi/behaviour.ts';
import type { Row } from '../../platform/database/row.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { perTimeline } from './per-timeline.ts';
import { timelineOfId, timelineOfRow } from './timeline-of.ts';

/**
 * Types that always follow the system clock: keys, so that no one extends their expiry with a
 * sandbox clock, and the clocks themselves.
 */
const timeless: ReadonlySet<string> = new Set(['merchant_tokens', 'sandbox_clocks']);

/**
 * Behaviours whose writes happen at the time of the record's timeline. Each timeline has its own
 * behaviours, created on first use, so that a batch of writes never mixes times.
 */
export function onTimelines(
  services: Services,
  make: (services: Services) => Behaviours,
): Behaviours {
  const behavioursOf = perTimeline(make);
  const types = Object.entries(behavioursOf(services)).map(([type, behaviour]) => {
    const hasTimeline = services.models.get(type).has_mode && !timeless.has(type);
    return [
      type,
      hasTimeline ? behaviourOnTimeline(services, type, behaviour, behavioursOf) : behaviour,
    ];
  });
  return Object.fromEntries(types);
}

function behaviourOnTimeline(
  services: Services,
  type: string,
  behaviour: Behaviour,
  behavioursOf: (timeline: Services) => Behaviours,
): Behaviour {
  const { create, update, actions = {} } = behaviour;
  const behaviourOf = (timeline: Services): Behaviour => behavioursOf(timeline)[type] ?? {};
  const byId = ({ scope }: RequestContext, id: string) => timelineOfId(services, scope, [type], id);
  const actOnTimeline =
    (name: string, action: NonNullable<(typeof actions)[string]>): typeof action =>
    async (ctx, id, input) => {
      const timeline = await byId(ctx, id);
      if (timeline === services) return action(ctx, id, input);
      return (behaviourOf(timeline).actions?.[name] ?? action)(contextAt(timeline, ctx), id, input);
    };
  return {
    ...behaviour,
    ...(create && {
      async create(ctx, input, record) {
        const timeline = await timelineOfRow(services, ctx.scope, type, record);
        if (timeline === services) return create(ctx, input, record);
        return (behaviourOf(timeline).create ?? create)(
          contextAt(timeline, ctx),
          input,
          createdIn(timeline, record),
        );
      },
    }),
    ...(update && {
      async update(ctx, id, input, columns) {
        const timeline = await byId(ctx, id);
        if (timeline === services) return update(ctx, id, input, columns);
        return (behaviourOf(timeline).update ?? update)(
          contextAt(timeline, ctx),
          id,
          input,
          columns,
        );
      },
    }),
    actions: Object.fromEntries(
      Object.entries(actions).map(([name, action]) => [name, actOnTimeline(name, action)]),
    ),
  };
}

const contextAt = ({ clock }: Services, ctx: RequestContext): RequestContext => ({
  ...ctx,
  now: clock.now,
});

/** Record whose creation time is the timeline's time. */
function createdIn({ clock }: Services, record: Row): Row {
  const now = clock.now();
  const created_at = instantText(now);
  return {
    ...record,
    id: uuidv7(now),
    created_at: created_at,
    ...(record.updated_at && { updated_at: created_at }),
  };
}
