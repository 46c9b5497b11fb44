import { join } from 'node:path';
import { accountRows } from './account-rows.ts';
import { measureBareRate } from './bare-server.ts';
import {
  measureBilling,
  measureBillingAmongMany,
  measureBusyDay,
  measureBusyP99,
  measureCreateP99,
} from './billing.ts';
import { type DashboardView, measureInteractiveTime, measureScriptSize } from './interactive.ts';
import {
  fetchedBytes,
  measureFetches,
  measureFilteredTime,
  measurePageCpu,
  measurePageTime,
  measurePrebuiltCpu,
} from './pages.ts';
import { createPost, measureRate, paymentRows } from './payment-rows.ts';
import { intentBody } from './payments.ts';
import { findPgbench, measurePgbenchP99 } from './pgbench.ts';
import { hasProcessorTimes } from './processor-time.ts';
import { REFERENCE, referenceRows } from './reference-rows.ts';
import { measureRewrap } from './rewrap.ts';
import type { Measurement, Row } from './row.ts';
import type { Testbed } from './testbed.ts';
import { measureSealTime, measureStoreP99 } from './vault.ts';
import { measureBacklog, measureDeliveries, measureIsolation } from './webhooks.ts';

const CONNECTIONS = 64;
const ISOLATION_EVENTS = 500;
const REWRAPPED_PER_SECOND_OF_RUN = 10_000;
const LIST = '/v2/payment_demands?page[size]=50';
const COMPOUND = `${LIST}&include=payer,payment_method,billing_address`;

const createGet = (path: string) => () => ({ method: 'GET' as const, path });

export const rows: readonly Row[] = [
  ...referenceRows,
  ...paymentRows,
  ...accountRows,
  {
    name: 'fetch: bare Fastify, as many bytes',
    unit: 'requests/s',
    target: '',
    measure: async (testbed, seconds) => measureBareBytes(await fetchedBytes(testbed), seconds),
  },
  {
    name: 'fetch a payment demand by id, another of a million each time',
    unit: 'requests/s',
    baseline: 'fetch: bare Fastify, as many bytes',
    target: 'ratio 0.3, goal 0.5',
    measure: measureFetches,
  },
  {
    name: 'list: bare Fastify, as many bytes',
    unit: 'pages/s',
    target: '',
    measure: (testbed, seconds) => measureBare(testbed, LIST, seconds),
  },
  {
    name: 'list 50 payment demands, again and again',
    unit: 'pages/s',
    baseline: 'list: bare Fastify, as many bytes',
    target: '',
    measure: (testbed, seconds) => measureRate(testbed, createGet(LIST), seconds),
  },
  {
    name: 'list 50 with payer, method and address included, again and again',
    unit: 'pages/s',
    baseline: 'list: bare Fastify, as many bytes',
    target: '',
    measure: (testbed, seconds) => measureRate(testbed, createGet(COMPOUND), seconds),
  },
  {
    name: 'page: as many prebuilt bytes from the same HTTP server',
    unit: 'ms CPU',
    target: '',
    isInstalled: hasProcessorTimes,
    measure: measurePrebuiltCpu,
  },
  {
    name: 'page: the newest 50 of a million payments',
    unit: 'ms CPU',
    baseline: 'page: as many prebuilt bytes from the same HTTP server',
    target: 'ratio 3, goal 2',
    isInstalled: hasProcessorTimes,
    measure: (testbed, seconds) => measurePageCpu(testbed, seconds, 'newest'),
  },
  {
    name: 'page: 50 of a million, each time another page',
    unit: 'ms CPU',
    baseline: 'page: as many prebuilt bytes from the same HTTP server',
    target: 'ratio 3',
    isInstalled: hasProcessorTimes,
    measure: (testbed, seconds) => measurePageCpu(testbed, seconds, 'scattered'),
  },
  {
    name: 'depth: the second page, one request at a time',
    unit: 'ms',
    target: '',
    measure: (testbed, seconds) => measurePageTime(testbed, seconds, 'second'),
  },
  {
    name: 'depth: another page of a million, one request at a time',
    unit: 'ms',
    baseline: 'depth: the second page, one request at a time',
    target: '',
    measure: (testbed, seconds) => measurePageTime(testbed, seconds, 'scattered'),
  },
  {
    name: 'depth: the page before the last of 20,000',
    unit: 'ms',
    baseline: 'depth: the second page, one request at a time',
    target: 'ratio 1',
    measure: (testbed, seconds) => measurePageTime(testbed, seconds, 'deepest'),
  },
  {
    name: 'depth: 50 of a million by a filter over two relationships',
    unit: 'ms',
    baseline: 'depth: the second page, one request at a time',
    target: '',
    measure: measureFilteredTime,
  },
  {
    name: 'webhook deliveries to one fast receiver',
    unit: 'deliveries/s',
    target: '500/s, goal 3,000/s',
    measure: (testbed, seconds) => measureWebhooks(testbed, seconds, measureDeliveries),
  },
  {
    name: 'webhook deliveries of a backlog, to one fast receiver',
    unit: 'deliveries/s',
    target: 'goal 3,000/s',
    measure: (testbed, seconds) => measureWebhooks(testbed, seconds, measureBacklog),
  },
  {
    name: 'webhooks: rate of nine endpoints while a tenth hangs',
    unit: 'of theirs',
    target: '0.95 of theirs',
    measure: async (testbed) => (await measureIsolation(testbed, ISOLATION_EVENTS)).rate,
  },
  {
    name: 'webhooks: p99 of nine endpoints while a tenth hangs',
    unit: 'of theirs',
    target: '1.05 of theirs',
    measure: async (testbed) => (await measureIsolation(testbed, ISOLATION_EVENTS)).p99_ms,
  },
  {
    name: 'billing: subscriptions of a day, charged and settled',
    unit: 'subscriptions/s',
    baseline: REFERENCE,
    target: '834/s, goal 1,667/s',
    measure: measureBilling,
  },
  {
    name: 'billing: the same among a million',
    unit: 'subscriptions/s',
    baseline: 'billing: subscriptions of a day, charged and settled',
    target: 'ratio 0.9',
    measure: measureBillingAmongMany,
  },
  {
    name: 'billing: the same while 50 creates a second come in',
    unit: 'subscriptions/s',
    baseline: REFERENCE,
    target: '834/s, goal 1,667/s',
    measure: async (testbed, seconds) => (await measureBusyDay(testbed, seconds)).day,
  },
  {
    name: 'billing: p99 of 50 creates a second at rest',
    unit: 'ms',
    target: '',
    measure: measureCreateP99,
  },
  {
    name: 'billing: p99 of 50 creates a second while a day is billed',
    unit: 'ms',
    baseline: 'billing: p99 of 50 creates a second at rest',
    target: '50 ms',
    measure: measureBusyP99,
  },
  {
    name: 'vault: cards put under the next key of their merchant',
    unit: 'cards/s',
    target: '16,667/s, a million in 60 s',
    isInstalled: hasProcessorTimes,
    measure: ({ databaseUrl, florin }, seconds) =>
      measureRewrap(
        databaseUrl,
        join(florin.dataDir, 'vault'),
        REWRAPPED_PER_SECOND_OF_RUN * seconds,
      ),
  },
  {
    name: 'vault: p99 of a card and its code sealed and stored',
    unit: 'ms',
    target: '2 ms, goal 1 ms',
    measure: ({ databaseUrl, florin }, seconds) =>
      measureStoreP99(databaseUrl, join(florin.dataDir, 'vault'), seconds),
  },
  {
    name: 'vault: sealing a record and opening it',
    unit: 'µs',
    target: '',
    measure: ({ databaseUrl, florin }, seconds) =>
      measureSealTime(databaseUrl, join(florin.dataDir, 'vault'), seconds),
  },
  {
    name: 'p99 of the reference at half the load, by pgbench',
    unit: 'ms',
    target: '',
    isInstalled: () => findPgbench() !== undefined,
    measure: ({ databaseUrl }, seconds) => measurePgbenchP99(databaseUrl, seconds),
  },
  {
    name: 'p99 of a create at half the load',
    unit: 'ms',
    target: '50 ms, goal 20 ms',
    measure: measureHalfLoadP99,
  },
  ...(['sign-in', 'overview'] as const).flatMap(dashboardRows),
];

/** Benchmarks of a dashboard page without a browser cache. Each figure is the median of five visits. */
function dashboardRows(view: DashboardView): Row[] {
  return [
    {
      name: `dashboard: ${view} can be used, processor slowed 4x`,
      unit: 'ms',
      target: '1,500 ms',
      browser: true,
      measure: (testbed) => measureInteractiveTime(testbed, view),
    },
    {
      name: `dashboard: scripts of ${view}, compressed`,
      unit: 'kB',
      target: '200 kB',
      browser: true,
      measure: (testbed) => measureScriptSize(testbed, view),
    },
  ];
}

async function measureBare(
  { florin, headers }: Testbed,
  path: string,
  seconds: number,
): Promise<number> {
  const response = await fetch(`${florin.baseUrl}${path}`, { headers });
  const { byteLength } = await response.arrayBuffer();
  return measureBareBytes(byteLength, seconds);
}

const measureBareBytes = async (bytes: number, seconds: number): Promise<number> =>
  (await measureBareRate(bytes, { connections: CONNECTIONS, seconds })).per_second;

const DELIVERIES_PER_SECOND_OF_RUN = 500;

function measureWebhooks(
  testbed: Testbed,
  seconds: number,
  measure: typeof measureDeliveries,
): Promise<Measurement> {
  const events = DELIVERIES_PER_SECOND_OF_RUN * seconds;
  return measure(testbed, events, async () => {
    const body = JSON.stringify({
      data: { type: 'customers', attributes: { email: 'bench@example.com' } },
    });
    const request = { method: 'POST', headers: testbed.headers, body };
    for (let createdCount = 0; createdCount < events; createdCount += CONNECTIONS) {
      const count = Math.min(CONNECTIONS, events - createdCount);
      const responses = Array.from({ length: count }, () =>
        fetch(`${testbed.florin.baseUrl}/v2/customers`, request),
      );
      for (const response of await Promise.all(responses)) await response.arrayBuffer();
    }
  });
}

async function measureHalfLoadP99(testbed: Testbed, seconds: number): Promise<number> {
  const next = createPost(intentBody);
  const fullRate = await measureRate(testbed, next, seconds);
  const { p99_ms } = await testbed.load({
    next,
    seconds,
    connections: CONNECTIONS,
    per_second_max: fullRate / 2,
  });
  return p99_ms;
}
