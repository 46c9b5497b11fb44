import { expect, it } from 'vitest';
import { metrics } from '../../src/http/health/metrics.ts';
import { useApi } from '../support/api.ts';
import { makeDemand, makeParties, waitForOutcome } from '../support/make.ts';

const api = useApi();

const readMetrics = async (): Promise<string> =>
  (await fetch(`${api.stack.baseUrl}/metrics`)).text();

/** Value of a series; 0 if it has none. */
const sampleOf = (text: string, series: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')
      .at(-1) ?? 0,
  );

it('/metrics has exactly the metrics that the documentation lists, but for those of routers', async () => {
  const text = await readMetrics();
  const names = [...text.matchAll(/^# HELP (florin_\w+) /gm)].map(([, name]) => name);
  const listed = Object.keys(metrics).filter((name) => !name.startsWith('florin_router_'));
  expect(names.sort()).toEqual(listed.sort());
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
});

it('payments are counted by outcome, and their batches, calls and waits are measured', async () => {
  const counted = [
    'florin_payments_total{mode="sandbox",account="network",status="succeeded"}',
    'florin_payments_total{mode="sandbox",account="network",status="failed"}',
    'florin_batch_size_count{batch="create payment_demands"}',
    'florin_batch_size_count{batch="payment results"}',
    'florin_pool_wait_seconds_count{pool="work"}',
  ];
  const before = await readMetrics();
  const approved = await makeDemand(api.client, { confirmed: true }, await makeParties(api.client));
  const declinedParties = await makeParties(api.client, 'generic_decline');
  const declined = await makeDemand(api.client, { confirmed: true }, declinedParties);
  for (const { id } of [approved, declined]) await waitForOutcome(api.client, id);
  const after = await readMetrics();
  for (const series of counted)
    expect([series, sampleOf(after, series) - sampleOf(before, series)]).toEqual([
      series,
      series.startsWith('florin_payments_total') ? 1 : expect.toSatisfy((count) => count > 0),
    ]);
});

it('queues, pools, vault and process have a series each', async () => {
  const text = await readMetrics();
  const expected = [
    'florin_build_info{version=',
    'florin_process_restarts{process="server"} 0',
    'florin_process_restarts{process="vault"} 0',
    'florin_queue_due{queue="payment_demands"}',
    'florin_queue_late_seconds{queue="webhook_deliveries"}',
    'florin_queue_late_seconds{queue="processor_notifications"}',
    'florin_queue_late_seconds{queue="payment_subscriptions"}',
    'florin_pool_connections{pool="reads",state="idle"}',
    'florin_pool_connections_max{pool="work"} 12',
    'florin_pool_connections_max{pool="polls"} 3',
    'florin_vault_calls{verb="relay"}',
    'florin_vault_key_age_seconds{key="root"}',
    'florin_webhook_deliveries_pending',
    'florin_workers 1',
    'florin_restore_closed 0',
  ];
  expect(expected.filter((series) => !text.includes(`\n${series}`))).toEqual([]);
});

it('no series has the id of a merchant, key or payment', async () => {
  const { id } = await makeDemand(api.client, {}, await makeParties(api.client));
  const { id: merchant } = await api.fixtures.getDemoMerchant();
  await api.client.fetch('payment_demands', id);
  const text = await readMetrics();
  expect(text).toContain('route="/v2/payment_demands/:id"');
  for (const part of [id, merchant]) expect(text).not.toContain(part);
});
