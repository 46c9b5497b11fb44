import type { Books } from '@florin/contract/protocol/network.ts';
import { freePort, type Processes, startProcesses } from '@florin/dev-env/start-processes.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, createClient, documentOf, type ResourceObject } from '../support/client.ts';
import { allRecords, killAll } from '../support/crash.ts';
import { eventually, makeParties, purchase } from '../support/make.ts';

const PAYMENTS = 500;
const CLIENTS = 32;
/** Kills everything after this many payments: some have an outcome then, some are in flight, some are not sent. */
const KILL_AFTER = 150;

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
  attributes.status === 'pending' || attributes.status === 'processing';

/** Confirms payments from many clients until they are cut off. Returns the ids that got 201. */
async function load(client: Client, onAnswer: (answered: number) => void): Promise<Set<string>> {
  const parties = await makeParties(client);
  const answered = new Set<string>();
  let started = 0;
  const one = async (): Promise<void> => {
    while (started++ < PAYMENTS) {
      const document = documentOf('payment_demands', { ...purchase, confirmed: true }, parties);
      const answer = await client
        .send('POST', '/v2/payment_demands', document)
        .catch(() => undefined);
      if (answer?.status === 201) answered.add(answer.body.data.id);
      onAnswer(answered.size);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, one));
  return answered;
}

it('kill -9 under load loses no answered payment, and charges no card twice', async () => {
  const { dataDir, port } = florin;
  let killed: Promise<void> | undefined;
  const answered = await load(clientOf(florin), (count) => {
    if (count >= KILL_AFTER) killed ??= killAll(florin);
  });
  await killed;
  expect(answered.size).toBeGreaterThanOrEqual(KILL_AFTER);
  expect(answered.size).toBeLessThan(PAYMENTS);

  florin = await startProcesses({ dataDir, port, env: simulator });
  const client = clientOf(florin);
  const payments = await eventually(
    () => allRecords(client, 'payment_demands'),
    (all) => !all.some(isOpen),
    { max_wait_ms: 90_000, pause_ms: 500 },
  );
  expect(payments.filter(isOpen)).toEqual([]);
  const ids = new Set(payments.map(({ id }) => id));
  expect([...answered].filter((id) => !ids.has(id))).toEqual([]);

  const succeeded = payments.filter(({ attributes }) => attributes.status === 'succeeded');
  const { body } = await client.get(
    '/v2/events?filter[slug]=succeeded,failed&page[size]=500&page[total]=true',
  );
  expect((body.meta.pagination as { total: number }).total).toBe(payments.length);
  const books = (await (
    await fetch(`http://127.0.0.1:${simulator.SIMULATOR_PORT}/v1/books`)
  ).json()) as Books;
  expect(books.approved).toBe(succeeded.length);
  expect(succeeded.length).toBeGreaterThan(0);
}, 180_000);
