import { payersOf } from './payers.ts';
import { confirmedBody, intentBody, untilSettled } from './payments.ts';
import { meterProcessors } from './processor-time.ts';
import { REFERENCE } from './reference-rows.ts';
import { type Measurement, measurementOf, type Row } from './row.ts';
import { measureBurst, measureSlowRate, slowBody } from './slow-processor.ts';
import type { LoadOptions, Testbed } from './testbed.ts';

const CONNECTIONS = 64;
/** Payments a second that a slow processor is offered: below the rate of a fast one. */
export const SLOW_OFFERED = 400;
/** Distance of consecutive payments' payers in the order of their creation; prime to the number of payers. */
const STRIDE = 7_919;

/** Rows of payments at the simulated network. */
export const paymentRows: readonly Row[] = [
  {
    name: 'create a payment demand over HTTP',
    unit: 'creates/s',
    baseline: REFERENCE,
    target: 'ratio 0.5, goal 1.3',
    measure: (testbed, seconds) => measureCreates(testbed, seconds),
  },
  {
    name: 'create confirmed, until succeeded',
    unit: 'payments/s',
    baseline: REFERENCE,
    target: 'ratio 0.2, goal 0.5',
    measure: measureConfirmed,
  },
  {
    name: 'slow processor: 600 payments at once, 3 s a response',
    unit: 's',
    target: '6 s',
    measure: async (testbed) =>
      measureBurst(testbed, await slowBody(testbed, 3_000), { count: 600 }),
  },
  ...([500, 3_000] as const).map(
    (latency_ms): Row => ({
      name: `slow processor: until succeeded, ${latency_ms === 500 ? '500 ms' : '3 s'} a response, ${SLOW_OFFERED} offered`,
      unit: 'payments/s',
      target: latency_ms === 500 ? '300/s' : '150/s',
      measure: (testbed, seconds) => measureSlow(testbed, seconds, latency_ms),
    }),
  ),
];

export const createPost = (body: string) => () => ({
  method: 'POST' as const,
  path: '/v2/payment_demands',
  body,
});

/** Requests per second over 64 connections. Throws if any is refused. */
export async function measureRate(
  testbed: Testbed,
  next: LoadOptions['next'],
  seconds: number,
): Promise<number> {
  return (await loadWithoutRefusals(testbed, next, seconds)).per_second;
}

async function loadWithoutRefusals(testbed: Testbed, next: LoadOptions['next'], seconds: number) {
  const result = await testbed.load({ next, seconds, connections: CONNECTIONS });
  if (result.refused > 0) throw new Error(`${result.refused} requests were refused`);
  return result;
}

async function measureCreates(testbed: Testbed, seconds: number): Promise<Measurement> {
  const { result, used } = await meterProcessors(testbed, () =>
    loadWithoutRefusals(testbed, createPost(intentBody), seconds),
  );
  const { count, per_second } = result;
  return measurementOf(per_second, count, used);
}

/** Payments per second, from the first request to the last outcome. Each is another customer's, by another card. */
export async function measureConfirmed(testbed: Testbed, seconds: number): Promise<Measurement> {
  const next = await nextConfirmed(testbed);
  const { result, used } = await meterProcessors(testbed, async () => {
    const startedAt = performance.now();
    const { count } = await loadWithoutRefusals(testbed, next, seconds);
    await untilSettled(testbed);
    return { count, seconds: (performance.now() - startedAt) / 1000 };
  });
  return measurementOf(result.count / result.seconds, result.count, used);
}

/** Returns the next confirmed payment, each of another payer with a card of their own. */
export async function nextConfirmed(testbed: Testbed): Promise<LoadOptions['next']> {
  const bodies = (await payersOf(testbed)).map((payer) => confirmedBody(payer));
  let at = 0;
  return () => {
    at = (at + STRIDE) % bodies.length;
    return createPost(bodies[at] as string)();
  };
}

const measureSlow = async (
  testbed: Testbed,
  seconds: number,
  latency_ms: number,
): Promise<number> =>
  measureSlowRate(testbed, await slowBody(testbed, latency_ms), {
    seconds,
    latency_ms,
    per_second_max: SLOW_OFFERED,
  });
