import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { meterProcessors } from './processor-time.ts';
import { type Measurement, measurementOf } from './row.ts';
import type { Testbed } from './testbed.ts';

const WAIT_MS_MAX = 120_000;

/**
 * Deliveries per second to a fast local receiver, from the first to the last arrival of `events` events. Their
 * processor time includes the creation of the events.
 */
export async function measureDeliveries(
  testbed: Testbed,
  events: number,
  createEvents: () => Promise<unknown>,
): Promise<Measurement> {
  await using endpoint = await openEndpoint(testbed);
  const { used } = await meterProcessors(testbed, async () => {
    await createEvents();
    await endpoint.waitFor(events);
  });
  return measurementOf(endpoint.rate(), events, used);
}

/** The same for events that were created before: what a delivery alone costs. */
export async function measureBacklog(
  testbed: Testbed,
  events: number,
  createEvents: () => Promise<unknown>,
): Promise<Measurement> {
  await using endpoint = await openEndpoint(testbed);
  await endpoint.setStatus('paused');
  await createEvents();
  const { used } = await meterProcessors(testbed, async () => {
    await endpoint.setStatus('active');
    await endpoint.waitFor(events);
  });
  return measurementOf(endpoint.rate(), events, used);
}

/** A fast receiver with its subscription, which ends with it. */
interface Endpoint extends AsyncDisposable {
  setStatus(status: string): Promise<void>;
  waitFor(deliveries: number): Promise<void>;
  /** Deliveries per second from the first to the last arrival. */
  rate(): number;
}

async function openEndpoint(testbed: Testbed): Promise<Endpoint> {
  const arrivalTimes: number[] = [];
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      arrivalTimes.push(performance.now());
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const { id } = await testbed.post('webhook_subscriptions', {
    url: `http://127.0.0.1:${port}/`,
    description: 'bench receiver',
    concurrency_limit: 100,
    events: ['consumer.customers.created'],
  });
  return {
    setStatus: (status) => setStatus(testbed, id, status),
    async waitFor(deliveries) {
      const deadline = performance.now() + WAIT_MS_MAX;
      while (arrivalTimes.length < deliveries && performance.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      if (arrivalTimes.length < deliveries)
        throw new Error(`only ${arrivalTimes.length} of ${deliveries} deliveries arrived`);
    },
    rate: () =>
      (arrivalTimes.length / ((arrivalTimes.at(-1) ?? 0) - (arrivalTimes[0] ?? 0))) * 1000,
    async [Symbol.asyncDispose]() {
      receiver.closeAllConnections();
      receiver.close();
      await setStatus(testbed, id, 'archived');
    },
  };
}

/** Results of nine endpoints: deliveries per second of a backlog, and the latest of a hundred in milliseconds. */
interface IsolationResult {
  readonly rate: number;
  readonly p99_ms: number;
}

const ENDPOINTS = 10;
const PACE_MS = 20;

/** Rate and p99 of nine endpoints while a tenth hangs, as shares of their values without it. */
export async function measureIsolation(testbed: Testbed, events: number): Promise<IsolationResult> {
  const totals = { alone: { rate: 0, p99_ms: 0 }, hanging: { rate: 0, p99_ms: 0 } };
  // Symmetric order, so that a computer that becomes slower or faster affects both kinds alike.
  for (const kind of ['alone', 'hanging', 'hanging', 'alone'] as const) {
    const result = await measureNineEndpoints(testbed, events, kind === 'hanging');
    totals[kind].rate += result.rate;
    totals[kind].p99_ms += result.p99_ms;
  }
  const { alone, hanging } = totals;
  return { rate: hanging.rate / alone.rate, p99_ms: hanging.p99_ms / alone.p99_ms };
}

async function measureNineEndpoints(
  testbed: Testbed,
  events: number,
  isTenthHanging: boolean,
): Promise<IsolationResult> {
  const arrivals: { readonly at: number; readonly id: string }[] = [];
  const receiver = createServer((request, response) => {
    const at = performance.now();
    const id = request.headers['webhook-id'] as string;
    request.resume().on('end', () => {
      const isTenth = request.url === `/${ENDPOINTS}`;
      if (isTenth && isTenthHanging) return;
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
  const createEvent = () => testbed.post('customers', { email: 'bench@example.com' });
  const waitUntilDelivered = async (count: number): Promise<void> => {
    const deadline = performance.now() + WAIT_MS_MAX;
    while (arrivals.length < count) {
      if (performance.now() > deadline)
        throw new Error(`only ${arrivals.length} of ${count} arrived`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  await setAllStatuses('paused');
  for (let createdCount = 0; createdCount < events; createdCount += BATCH) {
    await Promise.all(Array.from({ length: BATCH }, createEvent));
  }
  await setAllStatuses('active');
  const backlog = (ENDPOINTS - 1) * events;
  await waitUntilDelivered(backlog);
  const [firstAt, lastAt] = [arrivals[0]?.at as number, arrivals.at(-1)?.at as number];
  const rate = (backlog / (lastAt - firstAt)) * 1000;
  const sentTimes: number[] = [];
  for (let sentCount = 0; sentCount < LATENCY_EVENTS; sentCount++) {
    sentTimes.push(performance.now());
    await Promise.all([createEvent(), new Promise((resolve) => setTimeout(resolve, PACE_MS))]);
  }
  await waitUntilDelivered(backlog + (ENDPOINTS - 1) * LATENCY_EVENTS);
  const latencies = [...Map.groupBy(arrivals.slice(backlog), ({ id }) => id).values()].flatMap(
    (arrivalsOfEvent, at) =>
      arrivalsOfEvent.map((arrival) => arrival.at - (sentTimes[at] as number)),
  );
  latencies.sort((a, b) => a - b);
  receiver.closeAllConnections();
  receiver.close();
  await setAllStatuses('archived');
  return { rate, p99_ms: latencies[Math.floor(latencies.length * 0.99)] as number };
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
