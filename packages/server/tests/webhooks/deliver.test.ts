import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import { createCheckedLookup } from '../../src/features/webhooks/sending/guard.ts';
import { makeWebhookSecret } from '../../src/features/webhooks/signing/sign.ts';
import { startDeliverLoop } from '../../src/features/webhooks/workers/deliver.ts';
import { startStopLoop } from '../../src/features/webhooks/workers/stop.ts';
import { instantText } from '../../src/platform/time/clock.ts';
import { useDatabase } from '../support/database.ts';
import { type ReceivedRequest, startReceiver } from './receiver.ts';
import { EVENT_DATA, makeTestbed } from './testbed.ts';
import { endResponses, statusesOf, WAIT, waitForDeliveries } from './wait.ts';

const database = useDatabase();

describe('a delivery', () => {
  it('that is answered 200 is delivered, signed in both schemes', async () => {
    await using testbed = await makeTestbed(database.url);
    await using receiver = await startReceiver({ '/hook': () => 200 });
    const { secret_key } = await testbed.subscribe({ url: `${receiver.origin}/hook` });
    const id = await testbed.emit();
    await using _loop = startDeliverLoop(testbed.services);

    const [row] = await waitForDeliveries(testbed, { status: 'delivered' });
    expect(row).toMatchObject({ due_at: null, fails_count: '0', last_response_status: '200' });
    expect(row.first_try_at).toBe(row.delivered_at);
    expect(receiver.requests).toHaveLength(1);
    const { headers, body } = receiver.requests[0]!;
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Florin\/\d/),
      'edge-event-id': id,
      'webhook-id': id,
    });
    expect(body).toContain(EVENT_DATA);
    const payload = new Webhook(secret_key).verify(body, headers as Record<string, string>);
    expect(payload).toMatchObject({
      data: { id, attributes: { slug: 'created', created_at: instantText(testbed.clock.now()) } },
    });
    const [, t, v3] = /^t=(\d+),v3=([0-9a-f]{64})$/.exec(headers['edge-signature'] as string) ?? [];
    expect(v3).toBe(createHmac('sha256', secret_key).update(`${t}.${body}`).digest('hex'));
  });

  it('that fails is retried after its wait, with the same event id', async () => {
    await using testbed = await makeTestbed(database.url, 0.1);
    await using receiver = await startReceiver({ '/hook': (nth) => (nth === 0 ? 500 : 200) });
    await testbed.subscribe({ url: `${receiver.origin}/hook` });
    const id = await testbed.emit();
    await using _loop = startDeliverLoop(testbed.services);

    const [failedDelivery] = await waitForDeliveries(testbed, {
      status: 'pending',
      fails_count: '1',
    });
    expect(failedDelivery.last_response_status).toBe('500');
    const waitMs = Date.parse(failedDelivery.due_at!) - Date.parse(failedDelivery.first_try_at!);
    expect(waitMs).toBe(1_000);
    expect(receiver.requests).toHaveLength(1);

    testbed.clock.advance(1);
    const [row] = await waitForDeliveries(testbed, { status: 'delivered', fails_count: '1' });
    expect(row.first_try_at).toBe(failedDelivery.first_try_at);
    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
    const times = receiver.requests.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(times[1]! - times[0]!).toBe(1);
  });

  it('that always fails is given up after six attempts', async () => {
    await using testbed = await makeTestbed(database.url);
    await using receiver = await startReceiver({ '/hook': () => 503 });
    await testbed.subscribe({ url: `${receiver.origin}/hook` });
    await testbed.emit();
    await using _loop = startDeliverLoop(testbed.services);
    for (const [at, wait_s] of [10, 300, 1800, 3600, 7200].entries()) {
      await waitForDeliveries(testbed, { status: 'pending', fails_count: `${at + 1}` });
      testbed.clock.advance(wait_s);
    }
    await waitForDeliveries(testbed, { status: 'exhausted', fails_count: '6', due_at: null });
    expect(receiver.requests).toHaveLength(6);
  });

  it('that is answered 404 stops', async () => {
    await using testbed = await makeTestbed(database.url);
    await using receiver = await startReceiver({ '/hook': () => 404 });
    await testbed.subscribe({ url: `${receiver.origin}/hook` });
    await testbed.emit();
    await using _loop = startDeliverLoop(testbed.services);
    await waitForDeliveries(testbed, { status: 'stopped', fails_count: '1', due_at: null });
  });

  it('does not follow a redirect', async () => {
    await using testbed = await makeTestbed(database.url);
    await using receiver = await startReceiver({
      '/hook': (_nth, response) => void response.writeHead(307, { location: '/secret' }).end(),
      '/secret': () => 200,
    });
    await testbed.subscribe({ url: `${receiver.origin}/hook` });
    await testbed.emit();
    await using _loop = startDeliverLoop(testbed.services);
    await waitForDeliveries(testbed, { status: 'pending', last_response_status: '307' });
    expect(receiver.requestsTo('/secret')).toEqual([]);
  });

  it('is decided by its status, however long the body is', async () => {
    await using testbed = await makeTestbed(database.url);
    await using receiver = await startReceiver({
      '/hook': (_nth, response) => {
        response.writeHead(200);
        const writeNext = (): void => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        };
        response.on('drain', writeNext);
        writeNext();
        return undefined;
      },
    });
    await testbed.subscribe({ url: `${receiver.origin}/hook` });
    await testbed.emit();
    await using _loop = startDeliverLoop(testbed.services);
    await waitForDeliveries(testbed, { status: 'delivered' });
  });

  it('without a response or a connection has the reason', async () => {
    await using testbed = await makeTestbed(database.url);
    await using receiver = await startReceiver({
      '/hang': () => undefined,
      '/close': (_nth, response) => void response.socket?.end(),
    });
    const closedReceiver = await startReceiver({});
    await closedReceiver[Symbol.asyncDispose]();
    await testbed.subscribe({ url: `${receiver.origin}/hang` });
    await testbed.subscribe({ url: `${receiver.origin}/close` });
    await testbed.subscribe({ url: `${closedReceiver.origin}/hook` });
    await testbed.emit();
    await using _loop = startDeliverLoop(testbed.services, { timeout_ms: 200 });
    const rows = await waitForDeliveries(testbed, { status: 'pending', fails_count: '1' });
    expect(rows.map((row) => row.last_error).sort()).toEqual([
      'connection_closed',
      'connection_failed: ECONNREFUSED',
      'timeout',
    ]);
  });
});

describe('a subscription', () => {
  it('that hangs does not delay the results of another', async () => {
    await using testbed = await makeTestbed(database.url);
    const hangingResponses: ServerResponse[] = [];
    await using receiver = await startReceiver({
      '/hang': (_nth, response) => void hangingResponses.push(response),
      '/hook': () => 204,
    });
    await testbed.subscribe({ url: `${receiver.origin}/hang` });
    await testbed.subscribe({ url: `${receiver.origin}/hook` });
    for (let count = 0; count < 5; count++) await testbed.emit();
    await using _loop = startDeliverLoop(testbed.services);
    await vi.waitFor(async () => {
      const deliveredStatuses = (await statusesOf(testbed)).filter(
        (status) => status === 'delivered',
      );
      expect([deliveredStatuses.length, hangingResponses.length]).toEqual([5, 5]);
    }, WAIT);
    endResponses(hangingResponses);
    await waitForDeliveries(testbed, { status: 'delivered' });
  });

  it('never has more messages in flight than its concurrency limit', async () => {
    await using testbed = await makeTestbed(database.url);
    const openResponses: ServerResponse[] = [];
    let inFlightMax = 0;
    await using receiver = await startReceiver({
      '/hook': (_nth, response) => {
        openResponses.push(response);
        inFlightMax = Math.max(inFlightMax, openResponses.length);
        if (openResponses.length === 2) setImmediate(() => endResponses(openResponses.splice(0)));
        return undefined;
      },
    });
    await testbed.subscribe({ url: `${receiver.origin}/hook`, concurrency_limit: 2 });
    for (let count = 0; count < 10; count++) await testbed.emit();
    await using _loop = startDeliverLoop(testbed.services);
    await waitForDeliveries(testbed, { status: 'delivered', fails_count: '0' });
    expect(receiver.requests).toHaveLength(10);
    expect(inFlightMax).toBe(2);
  });

  it('with more due deliveries than its limit gets all of them in the end', async () => {
    await using testbed = await makeTestbed(database.url);
    await using receiver = await startReceiver({ '/hook': () => 200 });
    await testbed.subscribe({ url: `${receiver.origin}/hook`, concurrency_limit: 1 });
    const ids = new Set<string>();
    for (let count = 0; count < 40; count++) ids.add(await testbed.emit());
    await using _loop = startDeliverLoop(testbed.services);
    await vi.waitFor(async () => {
      testbed.clock.advance(1);
      expect(new Set(await statusesOf(testbed))).toEqual(new Set(['delivered']));
    }, WAIT);
    const arrivedIds = receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect(arrivedIds).toHaveLength(ids.size);
    expect(new Set(arrivedIds)).toEqual(ids);
  });

  it('that was archived meanwhile is sent nothing', async () => {
    await using testbed = await makeTestbed(database.url);
    await using receiver = await startReceiver({ '/hook': () => 200 });
    await testbed.subscribe({ url: `${receiver.origin}/hook` });
    await testbed.emit();
    await testbed.db.query(`update webhook_subscriptions set status = 'archived'`, []);
    await using _loop = startDeliverLoop(testbed.services);
    await using _stop = startStopLoop(testbed.services);
    await waitForDeliveries(testbed, { status: 'stopped', last_error: 'subscription_archived' });
    expect(receiver.requests).toEqual([]);
  });

  it.each([
    ['as its subscription is by then', { url: '/new', status: 'active' }, 'delivered', '/new'],
    ['not at all where that is archived', { url: '/old', status: 'archived' }, 'stopped', '/old'],
  ])('with one in flight sends the waiting ones %s', async (_, change, status, path) => {
    await using testbed = await makeTestbed(database.url);
    const openResponses: ServerResponse[] = [];
    const hang = (_nth: number, response: ServerResponse) => void openResponses.push(response);
    await using receiver = await startReceiver({ '/old': hang, '/new': () => 204 });
    await testbed.subscribe({ url: `${receiver.origin}/old`, concurrency_limit: 1 });
    await testbed.emit();
    await testbed.emit();
    await using _loop = startDeliverLoop(testbed.services);
    await vi.waitFor(async () => {
      const leasedDeliveries = await testbed.db.query(
        'select 1 from webhook_deliveries where due_at > $1',
        [instantText(testbed.clock.now())],
      );
      expect([openResponses.length, leasedDeliveries.length]).toEqual([1, 2]);
    }, WAIT);
    const secret = makeWebhookSecret();
    await testbed.db.query(
      'update webhook_subscriptions set url = $1, secret_key = $2, status = $3',
      [`${receiver.origin}${change.url}`, secret, change.status],
    );
    testbed.clock.advance(5);
    endResponses(openResponses);
    await vi.waitFor(async () => {
      expect((await statusesOf(testbed)).sort()).toEqual(['delivered', status].sort());
    }, WAIT);
    const lastRequest = receiver.requests.at(-1) as ReceivedRequest;
    expect(lastRequest.path).toBe(path);
    expect(receiver.requests).toHaveLength(status === 'delivered' ? 2 : 1);
    if (status === 'delivered') {
      new Webhook(secret).verify(lastRequest.body, lastRequest.headers as Record<string, string>);
    }
  });

  it('that is paused gets its pending deliveries once it is resumed', async () => {
    await using testbed = await makeTestbed(database.url);
    await using receiver = await startReceiver({ '/hook': () => 200, '/other': () => 200 });
    await testbed.subscribe({ url: `${receiver.origin}/hook` });
    const firstEventId = await testbed.emit();
    const setStatus = (status: string) =>
      testbed.db.query('update webhook_subscriptions set status = $1', [status]);
    await setStatus('paused');
    await testbed.subscribe({ url: `${receiver.origin}/other` });
    const secondEventId = await testbed.emit();
    await using _loop = startDeliverLoop(testbed.services);
    await vi.waitFor(() => expect(receiver.requestsTo('/other')).toHaveLength(1), WAIT);
    expect(receiver.requestsTo('/hook')).toEqual([]);
    await setStatus('active');
    await waitForDeliveries(testbed, { status: 'delivered', attempts_count: '1' });
    const arrivedIds = receiver.requestsTo('/hook').map(({ headers }) => headers['webhook-id']);
    expect(arrivedIds.sort()).toEqual([firstEventId, secondEventId].sort());
  });

  it.each([
    ['live', 'an address on this machine', 'https://127.0.0.1:1/hook'],
    ['live', 'a name that resolves to this machine', 'https://hooks.example/hook'],
    ['sandbox', 'an address on this machine', 'http://127.0.0.1:1/hook'],
    ['sandbox', 'a name that resolves to this machine', 'https://hooks.example/hook'],
  ] as const)('of %s mode, with live rules, is not sent to %s', async (mode, _, url) => {
    await using testbed = await makeTestbed(database.url);
    await testbed.subscribe({ url, mode });
    await testbed.emit(mode);
    const lookup = createCheckedLookup('live', (_name, _options, callback) =>
      callback(null, [{ address: '127.0.0.1', family: 4 }]),
    );
    const config = { ...testbed.services.config, sandbox_webhooks: 'public' } as const;
    await using _loop = startDeliverLoop({ ...testbed.services, config }, { lookup });
    await waitForDeliveries(testbed, {
      status: 'pending',
      fails_count: '1',
      last_error: 'address_refused',
    });
  });
});
