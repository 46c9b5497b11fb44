import { beforeAll, describe, expect, it } from 'vitest';
import { ledgerDifferences } from '../../src/features/ledger/sql/ledger-check.ts';
import { useOwnStack } from '../support/api.ts';
import { type Client, documentOf, type ResourceObject } from '../support/client.ts';
import { clockAhead } from '../support/clock-ahead.ts';
import {
  eventually,
  makeCapture,
  makeDemand,
  makeHeld,
  makePaid,
  makeParties,
  newestOf,
  untilSettled,
} from '../support/make.ts';
import { describeReads, describeRefusedMethods } from '../support/resource-suite.ts';

const clock = clockAhead();
const api = useOwnStack({ config: { clock }, now: () => new Date(clock.now() / 1000) });
const type = 'settlement_exceptions';
const DAY_SECONDS = 24 * 60 * 60;

const newShop = async (): Promise<Client> =>
  api.as(await (await api.fixtures.makeMerchant()).key());

const exceptionsOf = async (client: Client): Promise<ResourceObject[]> =>
  (await client.get(`/v2/${type}?sort=created_at`)).body.data;

/** Lets days pass until each of these merchants has exceptions. */
const passDays = (clients: readonly Client[]): Promise<unknown> =>
  eventually(
    async () => {
      clock.advance(DAY_SECONDS);
      return Promise.all(clients.map(exceptionsOf));
    },
    (found) => found.every(({ length }) => length > 0),
    { max_wait_ms: 15_000, pause_ms: 500 },
  );

/** Kinds of a merchant's transfers about settlements. */
async function chargeOutcomesOf(client: Client): Promise<string[]> {
  const { body } = await client.get('/v2/ledger_transfers');
  const kinds = body.data.map(({ attributes }: ResourceObject) => attributes.kind);
  return kinds.filter((kind: string) => kind.startsWith('settled'));
}

const differing = [
  ['amount_differs', 'less than', { amount_cents: 19_709 }, 19_709, 19_708],
  [
    'amount_differs',
    'less than, by wish,',
    { amount_cents: 2500, metadata: { simulate: 'settlement_mismatch' } },
    2500,
    2499,
  ],
  ['missing_in_file', 'nothing of', { amount_cents: 19_710 }, 19_710, null],
  ['duplicate', 'twice', { amount_cents: 19_711 }, 19_711, 19_711],
  ['currency_differs', 'another currency than', { amount_cents: 19_712 }, 19_712, 19_712],
] as const;

async function makeCaptured(client: Client): Promise<ResourceObject> {
  const capture = await makeCapture(client, await makeHeld(client, { amount_cents: 19_710 }));
  return untilSettled(client, capture.id, 'capture_demands');
}

/** A payment that the processor refunds, with a reference that Florin does not know. */
async function makeRefundedOutside(client: Client): Promise<string> {
  const payment = await makePaid(client, { amount_cents: 2500 });
  const [attempt] = await api.fixtures.db.query(
    `select id from attempts where payment_demand_id = $1 and status = 'approved'`,
    [payment.id],
  );
  const reference = crypto.randomUUID();
  await fetch(`${api.stack.simulatorUrl}/v1/authorisations/${attempt?.id}/refunds`, {
    method: 'POST',
    body: JSON.stringify({ reference, amount: 700, currency: 'USD' }),
  });
  return reference;
}

async function makeLateApproval(client: Client): Promise<ResourceObject> {
  const { id } = await newestOf(client, 'merchants');
  const policy = documentOf('merchants', { late_approvals: 'reverse' }, {}, id);
  expect((await client.send('PATCH', `/v2/merchants/${id}`, policy)).status).toBe(200);
  const late = { confirmed: true, metadata: { simulate: 'late_approval' } };
  const payment = await makeDemand(client, late, await makeParties(client));
  return eventually(
    () => client.fetch('payment_demands', payment.id),
    ({ meta }) => meta?.outcome === 'unknown',
  );
}

interface Shop<Made> {
  readonly client: Client;
  readonly made: Made;
}

async function shopWith<Made>(make: (client: Client) => Promise<Made>): Promise<Shop<Made>> {
  const client = await newShop();
  return { client, made: await make(client) };
}

/** A shop for each difference. All are settled together. */
const openShops = async () => {
  const [cases, open, captured, refunded, late] = await Promise.all([
    Promise.all(
      differing.map(([, , attributes]) => shopWith((client) => makePaid(client, attributes))),
    ),
    shopWith((client) => makePaid(client, { amount_cents: 19_710 })),
    shopWith(makeCaptured),
    shopWith(makeRefundedOutside),
    shopWith(makeLateApproval),
  ]);
  return { cases, open, captured, refunded, late };
};

let shops: Awaited<ReturnType<typeof openShops>>;
beforeAll(async () => {
  shops = await openShops();
  const { cases, ...others } = shops;
  await passDays([...cases, ...Object.values(others)].map(({ client }) => client));
  // Settled later than the shops, which get no second exceptions from that.
  await makePaid(api.client, { amount_cents: 19_709 });
  await passDays([api.client]);
});

describe('a settlement exception', () => {
  describeReads(api, type, async () => (await exceptionsOf(api.client))[0] as ResourceObject);
  describeRefusedMethods(api, type);

  it.each(differing.map((each, at) => [...each, at] as const))(
    'is %s if the file has %s a payment',
    async (kind, _, _attributes, expected, found, at) => {
      const { client, made: payment } = shops.cases[at]!;
      const [exception, ...others] = await exceptionsOf(client);
      expect(others).toEqual([]);
      expect(exception?.attributes).toMatchObject({
        status: 'open',
        kind,
        entry: 'capture',
        expected_cents: expected,
        found_cents: found,
        amount_currency: kind === 'currency_differs' ? 'XTS' : 'USD',
      });
      expect(exception?.relationships.payment_demand?.data).toMatchObject({ id: payment.id });
      expect(await chargeOutcomesOf(client)).toEqual(kind === 'duplicate' ? ['settled'] : []);
    },
  );

  it('leaves the ledger consistent', async () => {
    expect(await ledgerDifferences(api.fixtures.db)).toEqual([]);
  });

  it('is resolved once with a note, and emits its event', async () => {
    const { client } = shops.open;
    const { id } = (await exceptionsOf(client))[0] as ResourceObject;
    const write = (attributes: object) =>
      client.send('PATCH', `/v2/${type}/${id}`, documentOf(type, attributes, {}, id));
    for (const attributes of [
      { status: 'resolved' },
      { status: 'resolved', resolution_note: ' ' },
    ]) {
      const { status, body } = await write(attributes);
      expect([status, body.errors?.[0]?.source?.pointer]).toEqual([
        422,
        '/data/attributes/resolution_note',
      ]);
    }
    const resolution_note = 'The processor paid it on Monday.';
    expect((await write({ resolution_note })).body.data.attributes.status).toBe('open');
    const resolved = await write({ status: 'resolved' });
    expect(resolved.body.data.attributes).toMatchObject({
      status: 'resolved',
      resolution_note,
      resolved_at: expect.any(String),
    });
    for (const attributes of [{ status: 'open' }, { resolution_note: 'No.' }]) {
      expect((await write(attributes)).status).toBe(405);
    }
    const events = await client.get(`/v2/events?filter[resource_id]=${id}&sort=created_at`);
    expect(events.body.data.map(({ attributes }: ResourceObject) => attributes.slug)).toEqual([
      'created',
      'resolved',
    ]);
  });

  it('names the capture of a hold, and exists once', async () => {
    const { client, made: capture } = shops.captured;
    const exceptions = await exceptionsOf(client);
    expect(exceptions.map(({ attributes }) => attributes)).toMatchObject([
      { kind: 'missing_in_file', processor_reference: capture.id },
    ]);
  });

  it('is missing_here if the processor refunded without a request from Florin', async () => {
    const { client, made: reference } = shops.refunded;
    const [exception] = await exceptionsOf(client);
    expect(exception?.attributes).toMatchObject({
      kind: 'missing_here',
      entry: 'refund',
      processor_reference: reference,
      expected_cents: null,
      found_cents: 700,
    });
    expect(await chargeOutcomesOf(client)).toEqual(['settled']);
  });

  it('is missing_here if the processor keeps a payment that was refunded a day later', async () => {
    const { client, made: payment } = shops.late;
    const [exception] = await exceptionsOf(client);
    expect((await untilSettled(client, payment.id)).attributes.failure_reason).toBe(
      'processor_timeout',
    );
    expect(exception?.attributes).toMatchObject({ kind: 'missing_here', found_cents: 2500 });
    expect(exception?.relationships.payment_demand?.data).toMatchObject({ id: payment.id });
  });
});
