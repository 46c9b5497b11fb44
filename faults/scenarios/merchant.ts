import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, createConnection, LONG_TIMEOUT_MS, PAUSE_MS } from './line.ts';

export interface Resource {
  readonly type: string;
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly status: number;
  readonly data?: Resource;
}

/** Response to a write, which Florin must never contradict. */
export interface AcceptedWrite {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly status: number;
  readonly resource: Resource;
}

/** A merchant's program that records every response to its writes. */
export interface Merchant extends Pick<Connection, 'unexpected' | 'repeats'> {
  /** Sends a write with an idempotency key. Throws if no response arrives within the limit. */
  write(key: string, method: 'POST' | 'PATCH', path: string, document?: object): Promise<Answer>;
  make(key: string, type: string, attributes: object, relations?: Relations): Promise<Answer>;
  list(path: string): Promise<readonly Resource[]>;
  /** Waits until `isDone` is true for the record. Throws at the time limit. */
  waitUntil(record: Resource, isDone: (record: Resource) => boolean): Promise<Resource>;
  readonly acceptedWrites: readonly AcceptedWrite[];
}

export type Relations = Readonly<Record<string, Resource>>;

export function createMerchant(baseUrl: string, secretKey: string): Merchant {
  const connection = createConnection(baseUrl, secretKey);
  const acceptedWrites: AcceptedWrite[] = [];
  const write: Merchant['write'] = async (key, method, path, body) => {
    const { status, data } = await connection.send({ method, path, body, key });
    if (!data || status >= 300) return { status };
    const resource = data as Resource;
    acceptedWrites.push({ key, method, path, body, status, resource });
    return { status, data: resource };
  };
  return {
    write,
    make: (key, type, attributes, relations = {}) =>
      write(key, 'POST', `/v2/${type}`, documentOf(type, attributes, relations)),
    list: async (path) =>
      ((await connection.send({ method: 'GET', path })).data ?? []) as Resource[],
    waitUntil: (record, isDone) => pollUntil(connection, record, isDone),
    acceptedWrites,
    unexpected: connection.unexpected,
    repeats: connection.repeats,
  };
}

async function pollUntil(
  connection: Connection,
  { type, id }: Resource,
  isDone: (record: Resource) => boolean,
): Promise<Resource> {
  const deadline = performance.now() + LONG_TIMEOUT_MS;
  for (;;) {
    const { status, data } = await connection.send({ method: 'GET', path: `/v2/${type}/${id}` });
    if (!data) throw new Error(`a record of ${type} that was there is answered with ${status}`);
    const record = data as Resource;
    if (isDone(record)) return record;
    if (performance.now() > deadline) {
      throw new Error(`a record of ${type} stays ${record.attributes.status}`);
    }
    await sleep(PAUSE_MS);
  }
}

function documentOf(type: string, attributes: object, relations: Relations): object {
  const relationships = Object.fromEntries(
    Object.entries(relations).map(([name, { type, id }]) => [name, { data: { type, id } }]),
  );
  return { data: { type, attributes, relationships } };
}
