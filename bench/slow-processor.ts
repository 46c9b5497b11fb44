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

/** Payments a second with an outcome, offered for some seconds at a rate, at a processor with this latency. */
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
  const startedAt = performance.now();
  const { per_second } = await testbed.load({
    next,
    seconds,
    connections: CONNECTIONS,
    per_second_max,
  });
  await untilSettled(testbed);
  return (per_second * seconds) / ((performance.now() - startedAt - latency_ms) / 1000);
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
