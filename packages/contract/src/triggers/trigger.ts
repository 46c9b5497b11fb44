import { eventCode } from '../events.ts';
import { type ApiRecord, TriggerFailure, type TriggerHost } from './interface.ts';
import { type EventCode, recipes } from './recipes.ts';
import { createSandbox, pollUntil } from './sandbox.ts';

/** Result of a recipe: created records and their events. */
export interface TriggerResult {
  readonly made: readonly ApiRecord[];
  /** Events about the created records, oldest first. `id` is the record's. */
  readonly events: readonly { readonly code: string; readonly id: string }[];
}

/**
 * Runs an event's recipe and waits for the event. Throws `TriggerFailure` if the event does not
 * arrive or cannot be triggered.
 */
export async function trigger(api: TriggerHost, code: EventCode): Promise<TriggerResult> {
  const recipe = recipes[code];
  if ('refused' in recipe) throw new TriggerFailure(recipe.refused);
  const sandbox = createSandbox(api);
  const { id } = await recipe.run(sandbox);
  await pollUntil(api, `the event ${code} about ${id}`, async () => {
    const codes = (await eventsAbout(api, [id])).map((event) => event.code);
    return codes.includes(code) || undefined;
  });
  const { createdRecords: made } = sandbox;
  return {
    made,
    events: await eventsAbout(
      api,
      made.map((record) => record.id),
    ),
  };
}

const PAGE_SIZE = 100;

async function eventsAbout(
  api: TriggerHost,
  ids: readonly string[],
): Promise<TriggerResult['events']> {
  const resources = encodeURIComponent(ids.join(','));
  const query = `filter[resource_id]=${resources}&sort=created_at&page[size]=${PAGE_SIZE}`;
  const { data } = await api.list(`/v2/events?${query}`);
  return data.map(({ attributes: { resource_type, slug, resource_id } }) => ({
    code: eventCode(String(resource_type), String(slug)),
    id: String(resource_id),
  }));
}
