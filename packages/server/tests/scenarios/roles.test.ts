import { startServer } from '@florin/dev-env/parts.ts';
import type { App } from '@florin/server/app.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import {
  eventually,
  makeAuthorisedPayment,
  makeCapture,
  makeDemand,
  makeParties,
  waitForOutcome,
} from '../support/make.ts';

/** Longer than the test: only wakes of the other process find work. */
const NEVER_MS = 3_600_000;

const api = useOwnStack({ config: { role: 'api', work_poll_ms: NEVER_MS } });
const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());

let worker: App;
beforeAll(async () => {
  const { dataDir, simulatorUrl, vaultDatabaseUrl, baseUrl, payUrl } = api.stack;
  const { vaultSocket: socketPath, serverDatabaseUrl: databaseUrl } = api.stack;
  worker = await startServer(
    { port: 0, dataDir, socketPath, simulatorUrl, databaseUrl, vaultDatabaseUrl },
    {
      role: 'worker',
      private_listen: { host: '127.0.0.1', port: 0 },
      public_url: baseUrl,
      pay_url: payUrl,
      work_poll_ms: NEVER_MS,
    },
  );
  cleanup.use(worker);
});

const loopsIn = async (url: string): Promise<string[]> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  return [...text.matchAll(/^florin_work_loop_idle_seconds\{loop="([^"]+)"\}/gm)]
    .map(([, loop = '']) => loop)
    .toSorted();
};

describe('an api', () => {
  it('wakes the worker for a payment that is confirmed later', async () => {
    const { id } = await makeDemand(api.client, {}, await makeParties(api.client));
    const confirmed = await api.client.send('PATCH', `/v2/payment_demands/${id}/confirm`);
    expect(confirmed.body.data.attributes.status).toBe('pending');
    const { attributes } = await waitForOutcome(api.client, id);
    expect(attributes.status).toBe('succeeded');
  });

  it('sends payments that are created confirmed, and wakes the worker for their captures', async () => {
    const payment = await makeAuthorisedPayment(api.client);
    const { id } = await makeCapture(api.client, payment);
    const { attributes } = await waitForOutcome(api.client, id, 'capture_demands');
    expect(attributes.status).toBe('succeeded');
  });

  it('runs no work loop', async () => {
    const loops = await loopsIn(api.stack.baseUrl);
    expect(loops).toEqual(['clocks', 'egress-rules', 'heartbeat', 'processor-accounts']);
  });
});

describe('a worker', () => {
  it('serves health and metrics, and nothing else', async () => {
    const statusOf = async (path: string) => (await fetch(`${worker.url}${path}`)).status;
    const paths = ['/livez', '/readyz', '/healthz', '/metrics'];
    expect(await Promise.all(paths.map(statusOf))).toEqual([200, 200, 200, 200]);
    const hidden = ['/v2/payment_demands', '/', '/dashboard', '/docs/', '/dashboard/api/me'];
    expect(await Promise.all(hidden.map(statusOf))).toEqual([404, 404, 404, 404, 404]);
    expect(await loopsIn(worker.url)).toContain('authorise');
  });

  it('listens again after its connection broke', async () => {
    const { db } = api.fixtures;
    const listening = `select pid from pg_stat_activity
      where datname = current_database() and application_name = 'florin listener'`;
    const [first] = await eventually(
      () => db.query(listening, []),
      ({ length }) => length === 1,
    );
    await db.query('select pg_terminate_backend($1)', [first?.pid]);
    await eventually(
      () => db.query(listening, []),
      ([row]) => row !== undefined && row.pid !== first?.pid,
    );
    const { id } = await makeDemand(api.client, {}, await makeParties(api.client));
    await api.client.send('PATCH', `/v2/payment_demands/${id}/confirm`);
    expect((await waitForOutcome(api.client, id)).attributes.status).toBe('succeeded');
  });
});

describe('an api whose worker ended', () => {
  const workers = async (): Promise<string | undefined> => {
    const text = await (await fetch(`${api.stack.baseUrl}/metrics`)).text();
    return /^florin_workers (\d+)$/m.exec(text)?.[1];
  };

  it('tells that no process runs work loops', async () => {
    await eventually(workers, (count) => count === '1');
    await worker[Symbol.asyncDispose]();
    expect(await eventually(workers, (count) => count === '0')).toBe('0');
  });
});
