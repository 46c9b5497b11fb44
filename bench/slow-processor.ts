import { createConfirmedBody, untilSettled } from './payments.ts';
import type { Testbed } from './testbed.ts';

const CONNECTIONS = 64;

/** Body of a payment that the simulated network answers with a latency. */
export const slowBody = (testbed: Testbed, latency_ms: number): Promise<string> =>
  createConfirmedBody(testbed, { metadata: { simulate: `slow:${latency_ms}` } });

/** Seconds from the first of `count` payments until all have an outcome, at a processor with this latency. */
export async function measureBurst(
  testbed: Testbed,
  body: string,
  { count }: { readonly count: number },
): Promise<number> {
  const startedAt = performance.now();
  for (let created = 0; created < count; created += CONNECTIONS) {
    const batch = Array.from({ length: Math.min(CONNECTIONS, count - created) }, () =>
      createPayment(testbed, body),
    );
    await Promise.all(batch);
  }
  await untilSettled(testbed);
  return (performance.now() - startedAt) / 1000;
}

/** Latencies before a window of measurement, in which payments in flight become as many as they may be. */
const FILL_LATENCIES = 2;
/** Shortest window of measurement, in latencies. */
const WINDOW_LATENCIES = 5;

/** Payments a second that get an outcome while more are offered at a rate, at a processor with this latency. */
export async function measureSlowRate(
  testbed: Testbed,
  body: string,
  {
    seconds,
    latency_ms,
    per_second_max,
  }: { readonly seconds: number; readonly latency_ms: number; readonly per_second_max: number },
): Promise<number> {
  const next = () => ({ method: 'POST' as const, path: '/v2/payment_demands', body });
  const fill_seconds = (FILL_LATENCIES * latency_ms) / 1_000;
  const window_seconds = Math.max(seconds, (WINDOW_LATENCIES * latency_ms) / 1_000);
  const from = Date.now() + fill_seconds * 1_000;
  const until = from + window_seconds * 1_000;
  const load = { next, connections: CONNECTIONS, per_second_max };
  await testbed.load({ ...load, seconds: fill_seconds + window_seconds });
  await untilSettled(testbed);
  return (await countOutcomes(testbed, from, until)) / window_seconds;
}

async function countOutcomes(testbed: Testbed, from: number, until: number): Promise<number> {
  const [row] = await testbed.query<{ count: number }>(
    `select count(*)::float8 as count from payment_demands
     where merchant_id = $1 and updated_at >= $2 and updated_at < $3 and status in ('succeeded', 'authorised')`,
    [await testbed.merchantId(), new Date(from), new Date(until)],
  );
  return row?.count ?? Number.NaN;
}

async function createPayment({ florin, headers }: Testbed, body: string): Promise<void> {
  const response = await fetch(`${florin.baseUrl}/v2/payment_demands`, {
    method: 'POST',
    headers,
    body,
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`a payment was refused with ${response.status}`);
}
