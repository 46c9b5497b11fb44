import { eventCode } from '../events.ts';
import { type ApiRecord, TriggerFailure, type TriggerHost } from './interface.ts';
import { type EventCode, recipes } from './recipes.ts';
import { createSandbox, until } from './sandbox.ts';

/** What came of one recipe. */
export interface Triggered {
  readonly made: readonly ApiRecord[];
  /** The codes of all events about what was made, each with the record's id, oldest first. */
  readonly told: readonly { readonly code: string; readonly id: string }[];
}

/** Makes what leads to an event, and waits for it. Throws `TriggerFailure` where it does not come, or cannot be made to. */
export async function trigger(api: TriggerHost, code: EventCode): Promise<Triggered> {
  const recipe = recipes[code];
  if ('refused' in recipe) throw new TriggerFailure(recipe.refused);
  const sandbox = createSandbox(api);
  const { id } = await recipe.run(sandbox);
  await until(api, `the event ${code} about ${id}`, async () => {
    const codes = (await toldOf(api, [id])).map((event) => event.code);
    return codes.includes(code) || undefined;
  });
  const { made } = sandbox;
  return {
    made,
    told: await toldOf(
      api,
      made.map((record) => record.id),
    ),
  };
}

const PAGE_SIZE = 100;

async function toldOf(api: TriggerHost, ids: readonly string[]): Promise<Triggered['told']> {
  const resources = encodeURIComponent(ids.join(','));
  const query = `filter[resource_id]=${resources}&sort=created_at&page[size]=${PAGE_SIZE}`;
  const { data } = await api.list(`/v2/events?${query}`);
  return data.map(({ attributes: { resource_type, slug, resource_id } }) => ({
    code: eventCode(String(resource_type), String(slug)),
    id: String(resource_id),
  }));
}
