/**
 * Takes a payment with each sandbox card through a running Florin, and checks outcome, events and signed webhooks.
 * Usage: `node scripts/first-payment.mjs [path to credentials.json]`
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const path = process.argv[2] ?? `${process.env.FLORIN_DATA ?? '.florin'}/credentials.json`;
const { base_url, sandbox } = JSON.parse(readFileSync(path, 'utf8'));

/** Expected outcome of a payment with each card. */
const outcomes = {
  pan_test_visa: 'succeeded',
  pan_test_visa_19: 'succeeded',
  pan_test_mastercard: 'succeeded',
  pan_test_discover: 'succeeded',
  pan_test_amex: 'succeeded',
  pan_test_generic_decline: 'generic_decline',
  pan_test_insufficient_funds: 'insufficient_funds',
  pan_test_lost_card: 'lost_card',
  pan_test_stolen_card: 'stolen_card',
  pan_test_incorrect_cvc: 'incorrect_cvc',
  pan_test_always_blocked: 'always_blocked',
  pan_test_highest_risk: 'highest_risk',
  pan_test_threeds_rejected: 'authentication_failed',
  pan_test_threeds_challenge: 'succeeded',
  pan_test_threeds_not_enrolled: 'succeeded',
  pan_test_threeds_unattempted: 'authentication_failed',
};
const WAIT_MS = 10_000;

async function send(method, path, body) {
  const response = await fetch(`${base_url}/v2/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${sandbox.secret_key}`,
      'user-agent': 'first-payment/1',
      ...(body && { 'content-type': 'application/vnd.api+json' }),
    },
    body: body && JSON.stringify(body),
  });
  const document = await response.json();
  if (document.errors) throw new Error(`${method} ${path}: ${JSON.stringify(document.errors[0])}`);
  return document.data;
}

const create = (type, attributes, relations = {}) =>
  send('POST', type, {
    data: {
      type,
      attributes,
      relationships: Object.fromEntries(
        Object.entries(relations).map(([name, { type, id }]) => [name, { data: { type, id } }]),
      ),
    },
  });

const receivedSlugs = new Map();
let webhookSecret;

/** Checks both signatures of a delivery; throws if one does not match. */
function verify(headers, body) {
  const [, time, signature] = /^t=(\d+),v3=([0-9a-f]{64})$/.exec(headers['edge-signature']) ?? [];
  const expected = createHmac('sha256', webhookSecret).update(`${time}.${body}`).digest('hex');
  if (!timingSafeEqual(Buffer.from(signature ?? ''.padEnd(64)), Buffer.from(expected))) {
    throw new Error('edge-signature does not match');
  }
  new Webhook(webhookSecret).verify(body, headers);
}

const receiver = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  verify(request.headers, body);
  const { resource_id, slug } = JSON.parse(body).data.attributes;
  receivedSlugs.set(resource_id, [...(receivedSlugs.get(resource_id) ?? []), slug]);
  response.writeHead(204).end();
});

async function pollUntil(read, isDone) {
  for (const end = Date.now() + WAIT_MS; ; ) {
    const result = await read();
    if (isDone(result) || Date.now() > end) return result;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function pay(token, customer, address) {
  const method = await create(
    'payment_methods',
    { card_pan_token: token, card_cvv_token: 'cvv_test', expiry_month: 12, expiry_year: 2031 },
    { customer },
  );
  const startedAt = performance.now();
  const { id } = await create(
    'payment_demands',
    {
      amount_cents: 2500,
      amount_currency: 'USD',
      purchase_reference: token,
      purchase_kind: 'order',
      confirmed: true,
    },
    { payer: customer, payment_method: method, billing_address: address },
  );
  const isFinal = ({ attributes }) => ['succeeded', 'failed'].includes(attributes.status);
  const { attributes } = await pollUntil(() => send('GET', `payment_demands/${id}`), isFinal);
  const took_ms = Math.round(performance.now() - startedAt);
  const events = await send('GET', `events?filter[resource_id]=${id}&sort=created_at`);
  const slugs = events.map((event) => event.attributes.slug);
  await pollUntil(
    async () => receivedSlugs.get(id)?.length,
    (count) => count === slugs.length,
  );
  return { attributes, slugs, webhooks: receivedSlugs.get(id) ?? [], took_ms };
}

await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const subscription = await create('webhook_subscriptions', {
  url: `http://127.0.0.1:${receiver.address().port}/`,
  description: 'first-payment script',
  events: ['created', 'succeeded', 'failed'].map((slug) => `transaction.payment_demands.${slug}`),
});
webhookSecret = subscription.attributes.secret_key;
const customer = await create('customers', { email: 'ada@example.com', name: 'Ada Lovelace' });
const address = await create(
  'consumer_addresses',
  { line_1: '1 Main Street', city: 'New York', state: 'NY', zip: '10001', country: 'USA' },
  { customer },
);

let failures = 0;
for (const [token, expected] of Object.entries(outcomes)) {
  const { attributes, slugs, webhooks, took_ms } = await pay(token, customer, address);
  const outcome = attributes.failure_reason ?? attributes.status;
  const isCorrect =
    outcome === expected &&
    slugs.join() === `created,${attributes.status}` &&
    webhooks.toSorted().join() === slugs.toSorted().join();
  if (!isCorrect) failures++;
  console.log(
    `${isCorrect ? 'ok   ' : 'WRONG'} ${token.padEnd(32)} ${outcome.padEnd(22)} events: ${slugs.join(', ').padEnd(20)} webhooks: ${webhooks.join(', ').padEnd(20)} ${took_ms} ms`,
  );
}
await send('PATCH', `webhook_subscriptions/${subscription.id}`, {
  data: { type: 'webhook_subscriptions', id: subscription.id, attributes: { status: 'archived' } },
});
receiver.close();
console.log(failures === 0 ? 'All sixteen are correct.' : `${failures} went wrong.`);
process.exit(failures === 0 ? 0 : 1);
