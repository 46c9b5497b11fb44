import pg from 'pg';
import { accountCurrencies } from './accounts.ts';
import { createPost, SLOW_OFFERED } from './payment-rows.ts';
import { createConfirmedBody, untilSettled } from './payments.ts';
import type { ProcessorProxy } from './processor-proxy.ts';
import type { Row } from './row.ts';
import { measureBurst, measureSlowRate } from './slow-processor.ts';
import type { Testbed } from './testbed.ts';

const CONNECTIONS = 64;
/** Latency of a processor that works. */
const USUAL_MS = 100;
/** Payments a second that each of two processors is offered. */
const OFFERED = 100;
/** Seconds that a processor hangs before the other is measured: longer than the time-out of a message. */
const HANG_SECONDS = 16;
/** Payments a second during an outage. */
const OUTAGE_OFFERED = 20;
const OUTAGE_SECONDS = 60;

/** Rows of payments through accounts at a stand-in. The payments are holds: a capture is a second message. */
export const accountRows: readonly Row[] = [
  {
    name: 'account: 600 payments at once, 3 s a response',
    unit: 's',
    target: '6 s',
    measure: (testbed) =>
      withLatency(testbed, 3_000, (body) => measureBurst(testbed, body, { count: 600 })),
  },
  ...([500, 3_000] as const).map(
    (latency_ms): Row => ({
      name: `account: until authorised, ${latency_ms / 1_000} s a response, ${SLOW_OFFERED} offered`,
      unit: 'payments/s',
      target: latency_ms === 500 ? '300/s' : '150/s',
      measure: (testbed, seconds) =>
        withLatency(testbed, latency_ms, (body) =>
          measureSlowRate(testbed, body, { seconds, latency_ms, per_second_max: SLOW_OFFERED }),
        ),
    }),
  ),
  {
    name: 'account: p99 until authorised beside another that answers',
    unit: 'ms',
    target: '',
    measure: (testbed, seconds) => measureBeside(testbed, seconds, USUAL_MS),
  },
  {
    name: 'account: p99 until authorised beside another that hangs',
    unit: 'ms',
    baseline: 'account: p99 until authorised beside another that answers',
    target: 'ratio 1.5',
    measure: (testbed, seconds) => measureBeside(testbed, seconds, Number.POSITIVE_INFINITY),
  },
  {
    name: 'account: from the end of a minute of outage until the last outcome',
    unit: 's',
    target: '60 s',
    measure: measureRecovery,
  },
];

const heldBody = (testbed: Testbed, amount_currency: string): Promise<string> =>
  createConfirmedBody(testbed, { amount_currency, capture_method: 'manual' });

/** Measures payments through the first account, whose processor has a latency. */
async function withLatency(
  testbed: Testbed,
  latency_ms: number,
  measure: (body: string) => Promise<number>,
): Promise<number> {
  const [processor] = await testbed.processors();
  processor.latency_ms = latency_ms;
  try {
    return await measure(await heldBody(testbed, accountCurrencies[0]));
  } finally {
    await restore(testbed, processor);
  }
}

async function restore(testbed: Testbed, processor: ProcessorProxy): Promise<void> {
  processor.latency_ms = 0;
  await untilSettled(testbed);
}

/** The p99 in milliseconds from a payment to its outcome at one processor, while payments also go to another. */
async function measureBeside(
  testbed: Testbed,
  seconds: number,
  other_latency_ms: number,
): Promise<number> {
  const [other, measured] = await testbed.processors();
  measured.latency_ms = USUAL_MS;
  const [otherBody, body] = await Promise.all(
    accountCurrencies.map((currency) => heldBody(testbed, currency)),
  );
  const offer = (payment: string, duration: number) =>
    testbed.load({
      next: createPost(payment),
      seconds: duration,
      connections: CONNECTIONS,
      per_second_max: OFFERED,
    });
  other.latency_ms = other_latency_ms;
  try {
    const isHanging = !Number.isFinite(other_latency_ms);
    if (isHanging) await offer(otherBody as string, HANG_SECONDS);
    const startedAt = new Date();
    await Promise.all([offer(otherBody as string, seconds), offer(body as string, seconds)]);
    return await p99Since(testbed, startedAt, accountCurrencies[1]);
  } finally {
    measured.latency_ms = 0;
    await restore(testbed, other);
  }
}

const OUTCOME_LIMIT_MS = 120_000;
const POLL_MS = 200;

/** Waits until payments in a currency have outcomes. Returns the p99 from their creation, in milliseconds. */
async function p99Since(
  { databaseUrl }: Testbed,
  startedAt: Date,
  currency: string,
): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const deadline = performance.now() + OUTCOME_LIMIT_MS;
  try {
    for (;;) {
      const { rows } = await client.query(
        `select count(*) filter (where status in ('pending', 'processing'))::int as open,
           1000 * percentile_cont(0.99) within group (order by extract(epoch from updated_at - created_at)) as p99
         from payment_demands where created_at >= $1 and amount_currency = $2`,
        [startedAt, currency],
      );
      if (rows[0].open === 0) return Number(rows[0].p99);
      if (performance.now() > deadline) throw new Error(`${rows[0].open} payments stay open`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  } finally {
    await client.end();
  }
}

/** Seconds from the end of an outage until all payments of the outage have an outcome. */
async function measureRecovery(testbed: Testbed): Promise<number> {
  const [processor] = await testbed.processors();
  const body = await heldBody(testbed, accountCurrencies[0]);
  await processor.fail();
  try {
    await testbed.load({
      next: createPost(body),
      seconds: OUTAGE_SECONDS,
      connections: CONNECTIONS,
      per_second_max: OUTAGE_OFFERED,
    });
  } finally {
    await processor.restore();
  }
  const restoredAt = performance.now();
  await untilSettled(testbed);
  return (performance.now() - restoredAt) / 1000;
}
