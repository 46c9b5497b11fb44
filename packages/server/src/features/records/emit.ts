import { resourceJson } from '../../jsonapi/document/serialise.ts';
import type { Model } from '../../jsonapi/model.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { type NewEvent, writeEvents } from '../../platform/outbox/events.ts';
import { instantText, type Micros, microsOf } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';

/** A decided change with the slugs of its events. */
interface EventSlugs {
  /** Slugs in order: each event's time is a microsecond after the previous one. */
  readonly events: readonly string[];
}

/**
 * Emits the events of changes of one type, in the same transaction. Stores a delivery of each event
 * for every webhook subscription to it. `changedRows` has the row of each change, by index.
 */
export async function emitEvents(
  { catalog, models }: Pick<Services, 'catalog' | 'models'>,
  tx: Db,
  type: string,
  now: Micros,
  changes: readonly EventSlugs[],
  changedRows: readonly Row[],
): Promise<void> {
  const events = changes.flatMap(({ events: slugs }, at) =>
    slugs.map((slug, nth) => eventAbout(models.get(type), changedRows[at] as Row, slug, now + nth)),
  );
  await writeEvents(tx, catalog, events);
}

/**
 * Event about a resource, with the changed resource. The event's time is never before the change,
 * although `now` may precede a wait for the row: events are read in order of time.
 */
export function eventAbout(model: Model, row: Row, slug: string, now: Micros): NewEvent {
  const { events, type } = model.resource;
  if (!events?.slugs.includes(slug)) throw new Error(`${type} declares no event ${slug}`);
  const at = row.updated_at ? Math.max(now, microsOf(row.updated_at)) : now;
  return {
    id: uuidv7(at),
    merchant_id: row.merchant_id as string,
    mode: row.mode as string,
    resource_type: events.scope,
    resource_id: row.id as string,
    slug,
    data: resourceJson(model, row),
    created_at: instantText(at),
  };
}
