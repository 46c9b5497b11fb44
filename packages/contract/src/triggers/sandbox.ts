import { type ApiRecord, TriggerFailure, type TriggerHost } from './interface.ts';

type Target = Pick<ApiRecord, 'type' | 'id'>;
export type Relations = Readonly<Record<string, Target>>;

/** Creates and changes records through the interface. Lists the created records. */
export interface Sandbox extends Pick<TriggerHost, 'now_ms' | 'newKey'> {
  readonly createdRecords: readonly ApiRecord[];
  create(type: string, attributes: object, relations?: Relations): Promise<ApiRecord>;
  update(record: Target, attributes: object): Promise<ApiRecord>;
  relate(record: Target, relations: Relations): Promise<ApiRecord>;
  act(record: Target, action: string, attributes?: object): Promise<ApiRecord>;
  /** Waits until a record has one of these statuses. */
  untilStatus(record: Target, ...statuses: readonly string[]): Promise<ApiRecord>;
  /** Waits for the first record of a type whose relation points to the target. */
  untilPointedAt(type: string, relation: string, target: Target): Promise<ApiRecord>;
}

/** Timeout in milliseconds. Longer than any step takes. */
const TIMEOUT_MS = 30_000;
const PAUSE_MS = 100;

const toLinkage = (relations: Relations): object =>
  Object.fromEntries(
    Object.entries(relations).map(([name, { type, id }]) => [name, { data: { type, id } }]),
  );

export function createSandbox(api: TriggerHost): Sandbox {
  const createdRecords: ApiRecord[] = [];
  const fetch = ({ type, id }: Target) => api.send('GET', `/v2/${type}/${id}`);
  return {
    now_ms: api.now_ms,
    newKey: api.newKey,
    createdRecords: createdRecords,
    async create(type, attributes, relations = {}) {
      const data = { type, attributes, relationships: toLinkage(relations) };
      const record = await api.send('POST', `/v2/${type}`, data);
      createdRecords.push(record);
      return record;
    },
    update: ({ type, id }, attributes) =>
      api.send('PATCH', `/v2/${type}/${id}`, { type, id, attributes }),
    relate: ({ type, id }, relations) =>
      api.send('PATCH', `/v2/${type}/${id}`, { type, id, relationships: toLinkage(relations) }),
    act: ({ type, id }, action, attributes) =>
      api.send('PATCH', `/v2/${type}/${id}/${action}`, attributes && { type, id, attributes }),
    untilStatus: (record, ...statuses) =>
      pollUntil(api, `${record.type} ${record.id} to be ${statuses.join(' or ')}`, async () => {
        const currentRecord = await fetch(record);
        return statuses.includes(String(currentRecord.attributes.status))
          ? currentRecord
          : undefined;
      }),
    untilPointedAt: (type, relation, { id }) =>
      pollUntil(api, `${type} of ${id}`, async () => {
        const [pointingRecord] = (await api.list(`/v2/${type}?filter[${relation}]=${id}`)).data;
        if (pointingRecord) createdRecords.push(pointingRecord);
        return pointingRecord;
      }),
  };
}

/** Calls `poll` until it returns a value. Throws `TriggerFailure` after a timeout. */
export async function pollUntil<T>(
  host: Pick<TriggerHost, 'now_ms' | 'pause'>,
  description: string,
  poll: () => Promise<T | undefined>,
): Promise<T> {
  for (const end = host.now_ms() + TIMEOUT_MS; host.now_ms() < end; ) {
    const result = await poll();
    if (result !== undefined) return result;
    await host.pause(PAUSE_MS);
  }
  throw new TriggerFailure(`Timed out after ${TIMEOUT_MS / 1000} s waiting for ${description}.`);
}
