import { eventCode } from '@florin/contract/events.ts';
import type { ApiClient, ApiRecord, Page } from '../api/client.ts';
import { type EventKey, markSeen, type Position, positionAt, readFrom } from './position.ts';

/** An event as the interface shows it. */
export interface EventRecord extends ApiRecord {
  readonly attributes: Readonly<Record<string, unknown>> & {
    readonly resource_type: string;
    readonly resource_id: string;
    readonly slug: string;
    readonly created_at: string;
    readonly recorded_at: string;
    /** Snapshot of the record; null if the key may not read records of the type. */
    readonly data: object | null;
  };
}

export const codeOfEvent = ({ attributes: { resource_type, slug } }: EventRecord): string =>
  eventCode(resource_type, slug);

/** Name of an event, with its record. */
export const nameOf = (event: EventRecord): string =>
  `${codeOfEvent(event)} ${event.attributes.resource_id}`;

const PAGE_SIZE = 100;
/** Lower bound: earlier than every event. */
const BEGINNING = '1970-01-01T00:00:00.000000Z';

/**
 * Yields events after `position`, oldest first, and records each as seen when the caller requests the next. A round
 * ends at the newest event of its start: a longer round would exceed the overlap that is read again.
 */
export async function* newEvents(api: ApiClient, position: Position): AsyncGenerator<EventRecord> {
  const newest = await newestOf(api);
  if (!newest) return;
  for await (const event of eventsFrom(api, readFrom(position))) {
    if (isAfter(keyOf(event), keyOf(newest))) return;
    if (position.seen.has(event.id)) continue;
    yield event;
    markSeen(position, keyOf(event));
  }
}

/** Returns the start position for `beginning`, `now` or an event's id; reading starts after that event. */
export async function positionFrom(api: ApiClient, from: string): Promise<Position> {
  if (from === 'beginning') return positionAt(BEGINNING);
  const lastEvent = from === 'now' ? await newestOf(api) : await eventOf(api, from);
  const position = positionAt(lastEvent?.attributes.recorded_at ?? BEGINNING);
  if (!lastEvent) return position;
  for await (const event of eventsFrom(api, readFrom(position))) {
    if (isAfter(keyOf(event), keyOf(lastEvent))) break;
    markSeen(position, keyOf(event));
  }
  return position;
}

async function newestOf(api: ApiClient): Promise<EventRecord | undefined> {
  return (await api.list<EventRecord>('/v2/events?sort=-recorded_at&page[size]=1')).data[0];
}

const eventOf = async (api: ApiClient, id: string): Promise<EventRecord> =>
  (await api.send('GET', `/v2/events/${encodeURIComponent(id)}`)) as EventRecord;

async function* eventsFrom(api: ApiClient, recorded_at: string): AsyncGenerator<EventRecord> {
  const query = new URLSearchParams({
    sort: 'recorded_at',
    'filter[recorded_at][gte]': recorded_at,
    'page[size]': String(PAGE_SIZE),
  });
  for (let path: string | null | undefined = `/v2/events?${query}`; path; ) {
    const page: Page<EventRecord> = await api.list(path);
    yield* page.data;
    path = page.links.next;
  }
}

const keyOf = ({ id, attributes: { recorded_at } }: EventRecord): EventKey => ({
  id,
  recorded_at,
});

const isAfter = (one: EventKey, other: EventKey): boolean =>
  one.recorded_at > other.recorded_at ||
  (one.recorded_at === other.recorded_at && one.id > other.id);
