import { networkPaths } from '@florin/contract/protocol/network.ts';
import { takeSnapshot } from '@florin/dev-env/snapshot.ts';
import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authorisationId } from '../../src/features/attempts/attempt-id.ts';
import { createLeaseRenewal } from '../../src/features/restore/lease-renewal.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import { replaceFact } from '../../src/platform/database/installation/installation-facts.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import type { NetworkProcessor } from '../../src/processors/port/processor.ts';
import { createSandboxProcessor } from '../../src/processors/sandbox/index.ts';
import { type Client, createClient, documentOf, type ResourceObject } from '../support/client.ts';
import { eventually, makeDemand, makeParties, newestOf } from '../support/make.ts';
import { restoreCommandAt } from '../support/restore-command.ts';
import { waitUntilDrained } from '../support/story-clock.ts';

const PARTLY_APPROVED = { result: 'partly_approved', approvedAmount: 900 } as const;

/** Answers of the network to the messages of the restored time. */
let answers: 'partly' | 'nothing' | 'all' = 'partly';
/** Attempts that an inquiry finds as approved in part. */
const partlyApproved = new Set<string>();
let stack: Stack;
let client: Client;
let db: Database;
/** An order that was approved in part at the restored time, and whose reversal had begun. */
let reversing: ResourceObject;
/** The same, whose reversal belonged to an operator. */
let operators: ResourceObject;
/** The same, without a later message. */
let abandoned: ResourceObject;
/** An order whose answer was lost, and that was approved in part. */
let lost: ResourceObject;
/** An order that was approved, and whose merchant reverses late approvals. */
let late: ResourceObject;

function answeringNetwork(simulatorUrl: string): NetworkProcessor {
  const network = createSandboxProcessor({ simulatorUrl });
  return {
    ...network,
    authorise: {
      ...network.authorise,
      mapAnswer: (...answer) => {
        if (answers === 'partly') return PARTLY_APPROVED;
        if (answers === 'nothing') return { result: 'unknown', why: 'the test loses the answer' };
        return network.authorise.mapAnswer(...answer);
      },
    },
    inquire: {
      ...network.inquire,
      mapAnswer: (answer, id) => {
        if (answers === 'nothing') return { result: 'unknown', why: 'the test gives no answer' };
        return partlyApproved.has(id ?? '')
          ? PARTLY_APPROVED
          : network.inquire.mapAnswer(answer, id);
      },
    },
    reverse: {
      ...network.reverse,
      mapAnswer: (...answer) =>
        answers === 'all'
          ? network.reverse.mapAnswer(...answer)
          : { result: 'unknown', why: 'the test loses the answer' },
    },
  };
}

const restored = restoreCommandAt(() => stack.serverDatabaseUrl);

const messageOf = ({ id }: ResourceObject, number: number): string => authorisationId(id, number);

/** Has the network approve a message of a payment that the restored database does not know. */
async function charge(reference: string): Promise<void> {
  const card = { number: '4005519200000004', expiry_month: '12', expiry_year: '2041' };
  const body = { reference, amount: 2_500, currency: 'USD', card, capture: true };
  const response = await fetch(stack.simulatorUrl + networkPaths.authorisations, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
}

async function statusesOf(payment: ResourceObject): Promise<(string | null | undefined)[]> {
  const rows = await db.query(
    'select status from attempts where payment_demand_id = $1 order by id',
    [payment.id],
  );
  return rows.map(({ status }) => status);
}

const statusOf = async ({ id }: ResourceObject): Promise<string> =>
  (await client.fetch('payment_demands', id)).attributes.status;

async function makeOrder(status: string): Promise<ResourceObject> {
  const order = await makeDemand(client, { confirmed: true }, await makeParties(client));
  await eventually(
    () => statusesOf(order),
    ([first]) => first === status,
  );
  return order;
}

beforeAll(async () => {
  stack = await startStack({
    processors: ({ simulatorUrl }) => {
      const network = answeringNetwork(simulatorUrl);
      return {
        of: (mode) => (mode === 'sandbox' ? network : undefined),
        findByName: (name) => (name === network.metadata.name ? network : undefined),
      };
    },
  });
  client = createClient(stack.baseUrl, stack.credentials.sandbox.secret_key);
  db = openDatabase({ url: stack.databaseUrl, connections_max: 2 });
  [reversing, operators, abandoned] = [
    await makeOrder('reversing'),
    await makeOrder('reversing'),
    await makeOrder('reversing'),
  ];
  answers = 'nothing';
  [lost, late] = [await makeOrder('unknown'), await makeOrder('unknown')];
  const { id } = await newestOf(client, 'merchants');
  const policy = documentOf('merchants', { late_approvals: 'reverse' }, {}, id);
  expect((await client.send('PATCH', `/v2/merchants/${id}`, policy)).status).toBe(200);
  await db[Symbol.asyncDispose]();
  const snapshot = await takeSnapshot(stack.adminDatabaseUrl, () => new Date());
  await stack.stop('server');
  await stack.stop('vault');
  await snapshot.restore();
  // The lost time reversed the first messages, and approved the second ones.
  for (const order of [reversing, operators, lost, late]) await charge(messageOf(order, 2));
  db = openDatabase({ url: stack.databaseUrl, connections_max: 2 });
  await replaceFact(db, 'restored', snapshot.taken_at.toISOString());
  await db.query('update attempts set due_at = null where payment_demand_id = any ($1::uuid[])', [
    [operators.id, abandoned.id],
  ]);
  partlyApproved.add(messageOf(lost, 1));
  answers = 'all';
  await stack.start('vault');
  await stack.start('server');
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await stack[Symbol.asyncDispose]();
});

describe('a restored installation whose earlier attempt was being reversed', () => {
  it('records the charge of a later message in place of the earlier one', async () => {
    expect(await restored('learn')).toContain('charges recorded for known payments and periods: 4');
    expect(await Promise.all([reversing, operators, lost, late].map(statusOf))).toEqual([
      'succeeded',
      'succeeded',
      'succeeded',
      'succeeded',
    ]);
    for (const order of [reversing, operators, lost, late])
      expect(await statusesOf(order)).toEqual(['reversing', 'approved']);
  });

  it('lists a reversal that nobody confirms, and is not opened before a person decided', async () => {
    const attempt = messageOf(abandoned, 1);
    const [line] = (await restored('report')).split('\n').filter((text) => text.includes(attempt));
    expect(line).toContain('whose reversal nobody confirms');
    expect(await restored('open')).toContain('1 reversals that nobody confirms');
    expect(await restored('decide', attempt, 'charged')).toContain('has begun to reverse');
    expect(await restored('decide', attempt, 'not-charged')).toContain('was not charged');
    expect(await statusOf(abandoned)).toBe('failed');
  });

  it('reverses the earlier messages once it is open, and the payments stay paid', async () => {
    expect(await restored('open')).toContain('The installation is open');
    await waitUntilDrained(client);
    for (const order of [reversing, operators, lost, late]) {
      expect(await statusesOf(order)).toEqual(['reversed', 'approved']);
      expect(await statusOf(order)).toBe('succeeded');
    }
    expect(await restored('report')).not.toContain('DIFFERS');
  });
});

it('renews the lease of a claimed attempt until another process has it', async () => {
  const [attempt] = await db.query(
    `update attempts set due_at = '2040-01-01T00:00:00Z' where id = $1 returning *`,
    [messageOf(abandoned, 1)],
  );
  if (!attempt) throw new Error('the attempt is missing');
  const services = { db, clock: systemClock(), config: { attempt_lease_ms: 20_000 } };
  const [renew, renewStale] = [
    createLeaseRenewal(services, attempt),
    createLeaseRenewal(services, attempt),
  ];
  await renew();
  await renew();
  await expect(renewStale()).rejects.toThrow('was lost');
});
