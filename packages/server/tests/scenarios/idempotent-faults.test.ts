import { randomUUID } from 'node:crypto';
import { type LossyDatabase, startLossyDatabase } from '@florin/dev-env/lossy-database.ts';
import { startServer } from '@florin/dev-env/parts.ts';
import { type SilentDatabase, startSilentDatabase } from '@florin/dev-env/silent-database.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STUCK_MS } from '../../src/platform/database/health.ts';
import { useOwnStack } from '../support/api.ts';
import {
  type Answer,
  type Client,
  createClient,
  documentOf,
  type ResourceObject,
} from '../support/client.ts';
import {
  eventually,
  makeCapturedPayment,
  makeCustomer,
  makeDemand,
  makeParties,
  makeSubscription,
  purchase,
  recurringPurchase,
} from '../support/make.ts';
import { countOf } from '../support/resource-suite.ts';

const api = useOwnStack();
const cleanup = new AsyncDisposableStack();
let admin: pg.Pool;
/** Another process of the same Florin, whose commits may lose their response. */
let lossyClient: Client;
let database: LossyDatabase;
beforeAll(async () => {
  const { stack } = api;
  admin = new pg.Pool({ connectionString: stack.adminDatabaseUrl, max: 1 });
  cleanup.defer(() => admin.end());
  database = cleanup.use(await startLossyDatabase(stack.serverDatabaseUrl));
  const server = cleanup.use(
    await startServer(
      { ...stack, port: 0, socketPath: stack.vaultSocket, databaseUrl: database.url },
      // Work loops would commit as well, so they run only once at the start.
      { work_poll_ms: 600_000 },
    ),
  );
  lossyClient = createClient(server.url, stack.credentials.sandbox.secret_key);
});
afterAll(() => cleanup.disposeAsync());

/** Slugs of the events about a record. */
const eventSlugsOf = async ({ id }: ResourceObject): Promise<string[]> => {
  const { rows } = await admin.query('select slug from events where resource_id = $1 order by id', [
    id,
  ]);
  return rows.map(({ slug }) => slug);
};

const renameCustomer = (client: Client, { id }: ResourceObject, name: string, key?: string) =>
  client.send(
    'PATCH',
    `/v2/customers/${id}`,
    documentOf('customers', { name }, {}, id),
    key === undefined ? {} : { 'idempotency-key': key },
  );

const replayedHeader = ({ headers }: Answer): string | null => headers.get('idempotent-replayed');

describe('a process whose connections all fall silent', () => {
  const LIMITS = { statement_timeout_ms: 1_000, silence_margin_ms: 300, acquire_timeout_ms: 2_000 };
  const skew = { ms: 0 };
  let silentDatabase: SilentDatabase;
  let url: string;
  let silentClient: Client;
  beforeAll(async () => {
    const { stack } = api;
    silentDatabase = cleanup.use(await startSilentDatabase(stack.serverDatabaseUrl));
    const server = cleanup.use(
      await startServer(
        { ...stack, port: 0, socketPath: stack.vaultSocket, databaseUrl: silentDatabase.url },
        { monotonic_ms: () => performance.now() + skew.ms },
        { database_limits: LIMITS },
      ),
    );
    url = server.url;
    silentClient = createClient(url, stack.credentials.sandbox.secret_key);
  });
  const probe = async (path: string) => {
    const response = await fetch(url + path);
    return [response.status, await response.json()];
  };
  /** More reads and creates than there are connections. */
  const sendManyRequests = () =>
    Promise.all(
      Array.from({ length: 20 }, async (_, at) =>
        at % 2 === 0
          ? (await silentClient.get('/v2/customers')).status
          : (await silentClient.send('POST', '/v2/customers', customerDocument)).status,
      ),
    );

  it('answers on new ones, and stores each create once', async () => {
    await sendManyRequests();
    const customersBefore = await countOf(api, 'customers');
    silentDatabase.silence();
    const statuses = new Set(await sendManyRequests());
    expect([...statuses].toSorted()).toEqual([200, 201]);
    expect(await countOf(api, 'customers')).toBe(customersBefore + 10);
    expect(await probe('/readyz')).toEqual([200, { ready: true, vault: 'ok' }]);
    expect(await probe('/livez')).toEqual([200, { alive: true }]);
  });

  it('answers 503 with the cause if new ones are silent too, and is not alive after a while', async () => {
    silentDatabase.silenceNew(true);
    silentDatabase.silence();
    const [{ status, body }, createAnswer] = await Promise.all([
      silentClient.get('/v2/customers'),
      silentClient.send('POST', '/v2/customers', customerDocument),
    ]);
    expect(createAnswer.status).toBe(503);
    expect([status, body.errors?.[0]?.code, body.errors?.[0]?.detail]).toEqual([
      503,
      'unavailable',
      'The database does not answer. Try again in a moment.',
    ]);
    const database_fault = expect.stringMatching(/^(?:silent|pool_exhausted)$/);
    expect(await probe('/readyz')).toEqual([503, { ready: false, database_fault, vault: 'ok' }]);
    expect(await probe('/livez')).toEqual([200, { alive: true }]);
    skew.ms += STUCK_MS;
    expect(await probe('/livez')).toEqual([503, { alive: false }]);
    silentDatabase.silenceNew(false);
    const readiness = await eventually(
      () => probe('/readyz'),
      ([readyStatus]) => readyStatus === 200,
    );
    expect(readiness).toEqual([200, { ready: true, vault: 'ok' }]);
    expect(await probe('/livez')).toEqual([200, { alive: true }]);
  });
});

const customerDocument = documentOf('customers', { email: 'ada@example.com' });

describe('a process whose connection breaks between the commit of a change and its answer', () => {
  it('finds by the key that the change was made', async () => {
    const customer = await makeCustomer(api.client);
    database.loseNextCommit();
    const { status, body } = await renameCustomer(lossyClient, customer, 'Grace', 'lost');
    expect([database.losing(), status, body.data?.attributes.name]).toEqual([false, 200, 'Grace']);
    expect(await eventSlugsOf(customer)).toEqual(['created', 'updated']);
  });

  it('answers 503 without a key', async () => {
    const customer = await makeCustomer(api.client);
    database.loseNextCommit();
    expect([
      (await renameCustomer(lossyClient, customer, 'Grace')).status,
      database.losing(),
    ]).toEqual([503, false]);
  });

  it('confirms a payment once, however often the request is repeated with the key', async () => {
    const demand = await makeDemand(api.client, {}, await makeParties(api.client));
    const confirm = () =>
      lossyClient.send('PATCH', `/v2/payment_demands/${demand.id}/confirm`, undefined, {
        'idempotency-key': 'lost confirm',
      });
    database.loseNextCommit();
    const answers = [await confirm(), await confirm(), await confirm()];
    expect([database.losing(), answers.map(({ status }) => status)]).toEqual([
      false,
      [200, 200, 200],
    ]);
    expect(answers.map(replayedHeader)).toEqual(['true', 'true', 'true']);
    expect((await eventSlugsOf(demand)).filter((slug) => slug === 'created')).toHaveLength(1);
  });
});

describe('a process whose connection breaks between the commit of money and its answer', () => {
  it('stores a refund once, and answers 201', async () => {
    const payment_demand = await makeCapturedPayment(api.client);
    const attributes = { reason: 'duplicate_charge', amount_cents: 100 };
    const document = documentOf('refund_demands', attributes, { payment_demand });
    database.loseNextCommit();
    const { status, body } = await lossyClient.send('POST', '/v2/refund_demands', document);
    expect([database.losing(), status, body.data?.attributes.amount_cents]).toEqual([
      false,
      201,
      100,
    ]);
    const path = `/v2/refund_demands?filter[payment_demand]=${payment_demand.id}`;
    expect((await api.client.get(path)).body.data).toHaveLength(1);
    expect((await eventSlugsOf(body.data)).filter((slug) => slug === 'created')).toHaveLength(1);
  });

  it('stores a confirmed payment and its attempt once, and sends nothing itself', async () => {
    const parties = await makeParties(api.client);
    const document = documentOf('payment_demands', { ...purchase, confirmed: true }, parties);
    database.loseNextCommit();
    const { status, body } = await lossyClient.send('POST', '/v2/payment_demands', document);
    expect([database.losing(), status, body.data?.attributes.status]).toEqual([
      false,
      201,
      'pending',
    ]);
    const path = `/v2/payment_attempts?filter[payment_demand]=${body.data.id}`;
    expect((await api.client.get(path)).body.data).toMatchObject([
      { attributes: { status: 'sending' } },
    ]);
  });

  it('creates a confirmed subscription and its charge once', async () => {
    const parties = await makeParties(api.client);
    const attributes = {
      ...recurringPurchase,
      confirmed: true,
      idempotency_key: 'lost subscription',
    };
    const document = documentOf('payment_subscriptions', attributes, parties);
    const post = () => lossyClient.send('POST', '/v2/payment_subscriptions', document);
    database.loseNextCommit();
    const answers = [await post(), await post()];
    expect([database.losing(), answers.map(({ status }) => status)]).toEqual([false, [201, 201]]);
    const [id, ...otherIds] = new Set(answers.map(({ body }) => body.data.id));
    expect(otherIds).toEqual([]);
    const path = `/v2/payment_demands?filter[payment_subscription]=${id}`;
    expect((await api.client.get(path)).body.data).toHaveLength(1);
  });

  it('confirms a subscription once, however often the request is repeated with the key', async () => {
    const subscription = await makeSubscription(api.client, {}, await makeParties(api.client));
    const confirm = () =>
      lossyClient.send('PATCH', `/v2/payment_subscriptions/${subscription.id}/confirm`, undefined, {
        'idempotency-key': 'lost confirm of a subscription',
      });
    database.loseNextCommit();
    const answers = [await confirm(), await confirm()];
    expect([database.losing(), answers.map(({ status }) => status)]).toEqual([false, [200, 200]]);
    const path = `/v2/payment_demands?filter[payment_subscription]=${subscription.id}`;
    expect((await api.client.get(path)).body.data).toHaveLength(1);
  });
});

it('concurrent requests to two processes have one effect', async () => {
  for (let round = 0; round < 2; round++) {
    const customer = await makeCustomer(api.client);
    const key = `round ${round}`;
    const answers = await Promise.all(
      [api.client, lossyClient, api.client, lossyClient].map((client) =>
        renameCustomer(client, customer, 'Grace', key),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers.filter((answer) => replayedHeader(answer) === null)).toHaveLength(1);
    expect(await eventSlugsOf(customer)).toEqual(['created', 'updated']);
  }
});

const CUSTOMERS = 4;
const CHANGES = 24;
const CLIENTS = 4;
/** Responses between two cuts of all connections. */
const CUT_EVERY = 8;

const cutConnections = (): Promise<unknown> =>
  admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = 'florin_server' and pid <> pg_backend_pid()`);

it('changes on cut connections are made once each, however often they are repeated', async () => {
  const customers = await Promise.all(
    Array.from({ length: CUSTOMERS }, () => makeCustomer(api.client)),
  );
  const statuses: number[] = [];
  let startedCount = 0;
  const send = async (customer: ResourceObject, name: string, key: string): Promise<Answer> => {
    const answer = await renameCustomer(api.client, customer, name, key);
    statuses.push(answer.status);
    if (statuses.length % CUT_EVERY === 0) await cutConnections();
    return answer;
  };
  const runClient = async (): Promise<void> => {
    while (startedCount < CHANGES) {
      const at = startedCount++;
      const customer = customers[at % CUSTOMERS] as ResourceObject;
      const key = randomUUID();
      const { status } = await eventually(
        () => send(customer, `Ada the ${at}th`, key),
        (answer) => answer.status === 200,
      );
      expect(status).toBe(200);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, runClient));

  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  const events = await Promise.all(customers.map(eventSlugsOf));
  const updates = Array(CHANGES / CUSTOMERS).fill('updated');
  expect(events).toEqual(customers.map(() => ['created', ...updates]));
});

const CREATES = 32;

it('a create whose connection breaks gets an answer that agrees with the database', async () => {
  const answers: { reference: string; status: number }[] = [];
  let startedCount = 0;
  const runClient = async (): Promise<void> => {
    while (startedCount < CREATES) {
      const reference = `cut-${startedCount++}`;
      const attributes = { ...purchase, purchase_reference: reference };
      const document = documentOf('payment_demands', attributes);
      const { status } = await api.client.send('POST', '/v2/payment_demands', document);
      answers.push({ reference, status });
      if (answers.length % CUT_EVERY === 0) await cutConnections();
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, runClient));

  expect(answers.filter(({ status }) => status !== 201 && status !== 503)).toEqual([]);
  // After the last cut, the first read may still get 503.
  const { body } = await eventually(
    () =>
      api.client.get(
        '/v2/payment_demands?page[size]=500&fields[payment_demands]=purchase_reference',
      ),
    ({ status }) => status === 200,
  );
  const storedReferences = body.data
    .map(({ attributes }: ResourceObject) => attributes.purchase_reference)
    .filter((reference: string) => reference.startsWith('cut-'));
  const acceptedReferences = answers
    .filter(({ status }) => status === 201)
    .map(({ reference }) => reference);
  expect(storedReferences.toSorted()).toEqual(acceptedReferences.toSorted());
});
