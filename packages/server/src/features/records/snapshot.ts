import { resourceJson } from '../../jsonapi/document/serialise.ts';
import type { Model } from '../../jsonapi/model.ts';
import type { Row } from '../../platform/database/row.ts';
import { uuidv7 } from '../../platform/ids.ts';
import type { NewEvent } from '../../platform/outbox/events.ts';
import { instantText, type Micros, microsOf } from '../../platform/time/clock.ts';

/**
 * An event about a resource, with the changed resource. Never older than the change: `now` may
 * precede a wait for the row, and a record's events are read in order of time.
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
