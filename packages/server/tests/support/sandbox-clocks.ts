import { microsOf } from '../../src/platform/time/clock.ts';
import { type Answer, type Client, documentOf, type ResourceObject } from './client.ts';
import { eventually } from './make.ts';

export const DAY_SECONDS = 86_400;
/** Longer than any advance takes on a busy computer. */
const LONG_TIMEOUT = { max_wait_ms: 200_000, pause_ms: 20 };

/** Whole days from now until a timestamp of a record, rounded. */
export const daysUntil = (instant: unknown): number =>
  Math.round((microsOf(String(instant)) / 1_000 - Date.now()) / (DAY_SECONDS * 1_000)) + 0;

/** Creates the clock of a merchant or of one of its customers. */
export const makeClock = (client: Client, customer?: ResourceObject): Promise<ResourceObject> =>
  client.make('sandbox_clocks', {}, customer ? { customer } : {});

export const advance = (
  client: Client,
  { id }: ResourceObject,
  attributes: object,
): Promise<Answer> =>
  client.send(
    'PATCH',
    `/v2/sandbox_clocks/${id}/advance`,
    documentOf('sandbox_clocks', attributes, {}, id),
  );

export const waitForAdvance = (client: Client, { id }: ResourceObject): Promise<ResourceObject> =>
  eventually(
    () => client.fetch('sandbox_clocks', id),
    ({ attributes }) => attributes.status === 'ready',
    LONG_TIMEOUT,
  );

/** Advances a clock, and waits until the advance is complete. */
export async function advanceAndWait(
  client: Client,
  clock: ResourceObject,
  by_seconds: number,
): Promise<ResourceObject> {
  const { status, body } = await advance(client, clock, { by_seconds });
  if (status !== 200) throw new Error(`the clock was not advanced: ${JSON.stringify(body)}`);
  return waitForAdvance(client, clock);
}
