import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Testbed } from './testbed.ts';

const WAIT_MS_MAX = 120_000;

/** Deliveries per second to a fast local receiver, from the first to the last arrival of `events` events. */
export async function deliveryRate(
  testbed: Testbed,
  events: number,
  create: () => Promise<unknown>,
): Promise<number> {
  const times: number[] = [];
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      times.push(performance.now());
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const subscription = await testbed.post('webhook_subscriptions', {
    url: `http://127.0.0.1:${port}/`,
    description: 'bench receiver',
    concurrency_limit: 100,
    events: ['consumer.customers.created'],
  });
  await create();
  const end = performance.now() + WAIT_MS_MAX;
  while (times.length < events && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  receiver.closeAllConnections();
  receiver.close();
  await setStatus(testbed, subscription.id, 'archived');
  if (times.length < events)
    throw new Error(`only ${times.length} of ${events} deliveries arrived`);
  const [first = 0] = times;
  return (times.length / ((times.at(-1) as number) - first)) * 1000;
}

/** Results of nine endpoints: deliveries per second of a backlog, and the latest of a hundred in milliseconds. */
interface IsolationResult {
  readonly rate: number;
  readonly p99_ms: number;
}

const ENDPOINTS = 10;
const PACE_MS = 20;

/** Shares of their rate and p99 that nine endpoints retain while a tenth one hangs. */
export async function isolation(testbed: Testbed, events: number): Promise<IsolationResult> {
  const fares = { sound: { rate: 0, p99_ms: 0 }, beside: { rate: 0, p99_ms: 0 } };
  // Symmetric order, so that a computer that becomes slower or faster affects both kinds alike.
  for (const kind of ['sound', 'beside', 'beside', 'sound'] as const) {
    const fare = await fareOfNine(testbed, events, kind === 'beside');
    fares[kind].rate += fare.rate;
    fares[kind].p99_ms += fare.p99_ms;
  }
  const { sound, beside } = fares;
  return { rate: beside.rate / sound.rate, p99_ms: beside.p99_ms / sound.p99_ms };
}

async function fareOfNine(
  testbed: Testbed,
  events: number,
  hangs: boolean,
): Promise<IsolationResult> {
  const arrivals: { readonly at: number; readonly id: string }[] = [];
  const receiver = createServer((request, response) => {
    const at = performance.now();
    const id = request.headers['webhook-id'] as string;
    request.resume().on('end', () => {
      const isTenth = request.url === `/${ENDPOINTS}`;
      if (isTenth && hangs) return;
      if (!isTenth) arrivals.push({ at, id });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const ids = await Promise.all(
    Array.from({ length: ENDPOINTS }, async (_, at) => {
      const url = `http://127.0.0.1:${port}/${at + 1}`;
      const events = ['consumer.customers.created'];
      return (await testbed.post('webhook_subscriptions', { url, events })).id;
    }),
  );
  const setAllStatuses = (status: string) =>
    Promise.all(ids.map((id) => setStatus(testbed, id, status)));
  const create = () => testbed.post('customers', { email: 'bench@example.com' });
  const untilDelivered = async (count: number): Promise<void> => {
    const end = performance.now() + WAIT_MS_MAX;
    while (arrivals.length < count) {
      if (performance.now() > end) throw new Error(`only ${arrivals.length} of ${count} arrived`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  await setAllStatuses('paused');
  for (let createdCount = 0; createdCount < events; createdCount += BATCH) {
    await Promise.all(Array.from({ length: BATCH }, create));
  }
  await setAllStatuses('active');
  const backlog = (ENDPOINTS - 1) * events;
  await untilDelivered(backlog);
  const [first, last] = [arrivals[0]?.at as number, arrivals.at(-1)?.at as number];
  const rate = (backlog / (last - first)) * 1000;
  const sentTimes: number[] = [];
  for (let paced = 0; paced < LATENCY_EVENTS; paced++) {
    sentTimes.push(performance.now());
    await Promise.all([create(), new Promise((resolve) => setTimeout(resolve, PACE_MS))]);
  }
  await untilDelivered(backlog + (ENDPOINTS - 1) * LATENCY_EVENTS);
  const late = [...Map.groupBy(arrivals.slice(backlog), ({ id }) => id).values()].flatMap(
    (each, at) => each.map((arrival) => arrival.at - (sentTimes[at] as number)),
  );
  late.sort((a, b) => a - b);
  receiver.closeAllConnections();
  receiver.close();
  await setAllStatuses('archived');
  return { rate, p99_ms: late[Math.floor(late.length * 0.99)] as number };
}

const BATCH = 50;
const LATENCY_EVENTS = 600;

async function setStatus({ florin, headers }: Testbed, id: string, status: string): Promise<void> {
  const body = JSON.stringify({
    data: { type: 'webhook_subscriptions', id, attributes: { status } },
  });
  await fetch(`${florin.baseUrl}/v2/webhook_subscriptions/${id}`, {
    method: 'PATCH',
    headers,
    body,
  });
}
