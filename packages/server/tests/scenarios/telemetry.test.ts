import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { eventually, makeAddress, makeMethod, purchase, waitForOutcome } from '../support/make.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PLANTED = {
  name: 'Ada Planted Lovelace',
  email: 'ada.planted@example.com',
  street: '12 Planted Lane',
  reference: 'planted-reference',
};

/** Bodies that a collector received, by path. */
const received: { path: string; body: string }[] = [];
const collector = createServer(async (request, response) => {
  received.push({ path: request.url ?? '', body: await text(request) });
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
});

const telemetry = {
  endpoint: '',
  headers: { 'x-token': 'of the collector' },
  sampled_share: 1,
  metric_interval_ms: 1_000,
  span_interval_ms: 200,
};

beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  telemetry.endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
afterAll(() => void collector.close());

const api = useOwnStack({ config: { telemetry, trusted_proxies: ['127.0.0.1', '::1'] } });

interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string }[];
}

const spansReceived = (): ReceivedSpan[] =>
  received
    .filter(({ path }) => path === '/v1/traces')
    .flatMap(({ body }) => JSON.parse(body).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans);

it('a request is a trace from HTTP to SQL, vault and processor, as child of the proxy’s span', async () => {
  const { client, stack } = api;
  const payer = await client.make('customers', { name: PLANTED.name, email: PLANTED.email });
  const address = await makeAddress(client, { line_1: PLANTED.street }, { customer: payer });
  const method = await makeMethod(client, 'visa', { customer: payer });
  const relation = (type: string, { id }: { id: string }) => ({ data: { type, id } });
  const response = await fetch(`${stack.baseUrl}/v2/payment_demands?include=payer`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${stack.credentials.sandbox.secret_key}`,
      'content-type': 'application/vnd.api+json',
      'user-agent': PLANTED.name,
      traceparent: `00-${TRACE}-00f067aa0ba902b7-01`,
    },
    body: JSON.stringify({
      data: {
        type: 'payment_demands',
        attributes: { ...purchase, purchase_reference: PLANTED.reference, confirmed: true },
        relationships: {
          payer: relation('customers', payer),
          billing_address: relation('consumer_addresses', address),
          payment_method: relation('payment_methods', method),
        },
      },
    }),
  });
  const { data } = (await response.json()) as { data: { id: string } };
  await waitForOutcome(client, data.id);
  const spans = await eventually(
    async () => spansReceived(),
    (all) =>
      all.some(({ name }) => name === 'processor authorise') &&
      all.some(({ traceId }) => traceId === TRACE),
  );
  const ofRequest = spans.filter(({ traceId }) => traceId === TRACE);
  const names = ofRequest.map(({ name }) => name);
  expect(names).toContain('POST /v2/payment_demands');
  expect(names.filter((name) => name.startsWith('sql ')).length).toBeGreaterThan(0);
  const root = ofRequest.find(({ name }) => name === 'POST /v2/payment_demands');
  expect(root?.parentSpanId).toBe('00f067aa0ba902b7');
  expect(names).toEqual(expect.arrayContaining(['vault relay', 'processor authorise']));
});

it('metrics arrive, and nothing that a merchant or payer would keep secret', async () => {
  const metricsText = await eventually(
    async () =>
      received
        .filter(({ path }) => path === '/v1/metrics')
        .map(({ body }) => body)
        .join(),
    (body) => body.includes('florin_payments_total'),
  );
  expect(metricsText).toContain('"florin_http_request_seconds"');
  const all = received.map(({ body }) => body).join();
  const secrets = [
    ...Object.values(PLANTED),
    api.stack.credentials.sandbox.secret_key,
    'pan_test_visa',
    'cvv_test',
    '4111111111111111',
  ];
  expect(secrets.filter((planted) => all.includes(planted))).toEqual([]);
  const keys = new Set(
    spansReceived().flatMap(({ attributes }) => attributes.map(({ key }) => key)),
  );
  expect([...keys].sort()).toEqual(
    expect.arrayContaining(['db.system.name', 'florin.outcome', 'http.route']),
  );
  expect([...keys].filter((key) => /query|text|url|address|agent/.test(key))).toEqual([]);
});
