import type { Books } from '@florin/contract/protocol/network.ts';
import { freePort, type Processes, startProcesses } from '@florin/dev-env/start-processes.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, createClient, documentOf, type ResourceObject } from '../support/client.ts';
import { allRecords, killAll } from '../support/crash.ts';
import { eventually, makePaid } from '../support/make.ts';

const PAYMENTS = 10;
const PAID_CENTS = 2_000;
const REFUND_CENTS = 10;
const CLIENTS = 16;
/** Kills everything after this many refunds: some have an outcome then, some are in flight, some are not sent. */
const KILL_AFTER = 120;

let florin: Processes;
let simulator: { SIMULATOR_PORT: string };
beforeAll(async () => {
  simulator = { SIMULATOR_PORT: String(await freePort()) };
  florin = await startProcesses({ env: simulator });
});
afterAll(() => florin[Symbol.asyncDispose]());

const clientOf = ({ baseUrl, credentials }: Processes): Client =>
  createClient(baseUrl, credentials.sandbox.secret_key);

const isOpen = ({ attributes }: ResourceObject): boolean =>
  attributes.state === 'pending' || attributes.state === 'processing';

/** Refunds payments from many clients until they are cut off. Returns the ids that got 201. */
async function load(client: Client, onAnswer: (answered: number) => void): Promise<Set<string>> {
  const payments: ResourceObject[] = [];
  for (let made = 0; made < PAYMENTS; made++) {
    payments.push(await makePaid(client, { amount_cents: PAID_CENTS }));
  }
  const answered = new Set<string>();
  let started = 0;
  const one = async (): Promise<void> => {
    while (started < (PAYMENTS * PAID_CENTS) / REFUND_CENTS) {
      const payment_demand = payments[started++ % PAYMENTS] as ResourceObject;
      const attributes = { reason: 'technical_issue', amount_cents: REFUND_CENTS };
      const document = documentOf('refund_demands', attributes, { payment_demand });
      const answer = await client
        .send('POST', '/v2/refund_demands', document)
        .catch(() => undefined);
      if (!answer) return;
      if (answer.status === 201) answered.add(answer.body.data.id);
      onAnswer(answered.size);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, one));
  return answered;
}

it('kill -9 under load loses no answered refund, and refunds nothing twice', async () => {
  const { dataDir, port } = florin;
  let killed: Promise<void> | undefined;
  const answered = await load(clientOf(florin), (count) => {
    if (count >= KILL_AFTER) killed ??= killAll(florin);
  });
  await killed;
  expect(answered.size).toBeGreaterThanOrEqual(KILL_AFTER);

  florin = await startProcesses({ dataDir, port, env: simulator });
  const client = clientOf(florin);
  const refunds = await eventually(
    () => allRecords(client, 'refund_demands'),
    (all) => !all.some(isOpen),
    { max_wait_ms: 90_000, pause_ms: 500 },
  );
  expect(new Set(refunds.map(({ attributes }) => attributes.state))).toEqual(
    new Set(['succeeded']),
  );
  const ids = new Set(refunds.map(({ id }) => id));
  expect([...answered].filter((id) => !ids.has(id))).toEqual([]);

  const payments = await allRecords(client, 'payment_demands');
  const refunded = payments.reduce(
    (sum, { attributes }) => sum + attributes.amount_refunded_cents,
    0,
  );
  expect(refunded).toBe(refunds.length * REFUND_CENTS);
  const url = `http://127.0.0.1:${simulator.SIMULATOR_PORT}/v1/books`;
  const books = (await (await fetch(url)).json()) as Books;
  expect([books.refunds, books.refunded]).toEqual([refunds.length, refunded]);
}, 180_000);
