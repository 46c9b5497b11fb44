import { resourceJson } from '../jsonapi/document/serialise.ts';
import type { Model } from '../jsonapi/model.ts';
import { instantText, type Micros } from '../kernel/clock.ts';
import { uuidv7 } from '../kernel/ids.ts';
import type { NewEvent } from '../store/events.ts';
import type { Row } from '../store/row.ts';

/** An event about a resource, with the resource as it is after the change. */
export function eventAbout(model: Model, row: Row, slug: string, now: Micros): NewEvent {
  const { events, type } = model.resource;
  if (!events?.slugs.includes(slug)) throw new Error(`${type} declares no event ${slug}`);
  return {
    id: uuidv7(now),
    merchant_id: row.merchant_id as string,
    mode: row.mode as string,
    resource_type: events.scope,
    resource_id: row.id as string,
    slug,
    data: resourceJson(model, row),
    created_at: instantText(now),
  };
}
