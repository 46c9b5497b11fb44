import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { startSimulator } from '@florin/dev-env/parts.ts';
import { type Processes, startProcesses } from '@florin/dev-env/start-processes.ts';
import { expect, it } from 'vitest';
import { runToEnd, temporaryDirectory } from './support.ts';

const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');
/** Amount whose approval is lost on the way back. */
const ANSWER_LOST = 19_701;
const SETTLE_MS = 60_000;

const childrenOf = (dataDir: string): unknown[] =>
  JSON.parse(readFileSync(join(dataDir, 'children.json'), 'utf8'));

async function post(florin: Processes, path: string, body: object): Promise<string> {
  const answer = await fetch(`${florin.baseUrl}/v2/${path}`, {
    method: 'POST',
    headers: headersOf(florin),
    body: JSON.stringify({ data: { type: path, ...body } }),
  });
  const { data } = (await answer.json()) as { data?: { id: string } };
  if (!data) throw new Error(`${path} was answered ${answer.status}`);
  return data.id;
}

const headersOf = ({ credentials }: Processes) => ({
  authorization: `Bearer ${credentials.sandbox.secret_key}`,
  'content-type': 'application/vnd.api+json',
  'user-agent': 'two-machines/1',
});

const relation = (type: string, id: string) => ({ data: { type, id } });

async function pay(florin: Processes, amount_cents: number): Promise<string> {
  const payer = await post(florin, 'customers', { attributes: { email: 'ada@example.com' } });
  const address = await post(florin, 'consumer_addresses', {
    attributes: { line_1: '1 Main', city: 'New York', state: 'NY', zip: '10001', country: 'USA' },
  });
  const card = await post(florin, 'payment_methods', {
    attributes: {
      card_pan_token: 'pan_test_visa',
      card_cvv_token: 'cvv_test',
      expiry_month: 12,
      expiry_year: 2031,
    },
  });
  return post(florin, 'payment_demands', {
    attributes: {
      amount_cents,
      amount_currency: 'USD',
      purchase_reference: 'order-1',
      purchase_kind: 'order',
      confirmed: true,
    },
    relationships: {
      payer: relation('customers', payer),
      payment_method: relation('payment_methods', card),
      billing_address: relation('consumer_addresses', address),
    },
  });
}

/** Returns the payment as soon as it matches `wanted`. */
async function paymentOnce(florin: Processes, id: string, wanted: RegExp): Promise<string> {
  const deadline = performance.now() + SETTLE_MS;
  for (;;) {
    const answer = await fetch(`${florin.baseUrl}/v2/payment_demands/${id}`, {
      headers: headersOf(florin),
    });
    const text = await answer.text();
    if (wanted.test(text) || performance.now() > deadline) return text;
    await sleep(100);
  }
}

it('of two machines with one database and one card network, the second finishes what the first sent before it died', async () => {
  await using database = await cloneDatabase();
  await using network = await startSimulator(temporaryDirectory(), 0);
  const [one, two] = [temporaryDirectory(), temporaryDirectory()];
  const own = { DATABASE_URL: database.url, VAULT_DATABASE_URL: database.vaultUrl };
  const shared = { ...own, FLORIN_SIMULATOR_URL: network.url };
  await using first = await startProcesses({ dataDir: one, env: shared });
  expect(childrenOf(one)).toHaveLength(2);
  mkdirSync(join(two, 'vault'), { mode: 0o700 });
  for (const key of ['secrets.key', 'vault/root.key']) cpSync(join(one, key), join(two, key));
  const wrong = await runToEnd([MAIN, 'start'], { ...own, FLORIN_DATA: two, PORT: '0' });
  expect(wrong).toEqual({ code: 1, output: expect.stringContaining('FLORIN_SIMULATOR_URL') });

  await using second = await startProcesses({ dataDir: two, env: shared });
  const payment = await pay(first, ANSWER_LOST);
  expect(await paymentOnce(first, payment, /"outcome":"unknown"/)).toContain('"outcome":"unknown"');
  await first.kill();
  const final = await paymentOnce(second, payment, /"status":"(?:succeeded|failed)"/);
  expect(final).toContain('"status":"succeeded"');
}, 180_000);
