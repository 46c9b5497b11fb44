import { describe, expect, it } from 'vitest';
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
  settled,
} from '../support/make.ts';
import { describeReads, describeRefusedMethods } from '../support/resource-suite.ts';

const clock = clockAhead();
const api = useOwnStack({ config: { clock }, now: () => new Date(clock.now() / 1000) });
const type = 'settlement_exceptions';
const DAY_SECONDS = 24 * 60 * 60;

const newShop = async (): Promise<Client> => api.as(await (await api.books.makeMerchant()).key());

/** The first exceptions of a merchant, some days later. */
async function exceptionsOf(client: Client): Promise<ResourceObject[]> {
  return eventually(
    async () => {
      clock.advance(DAY_SECONDS);
      return (await client.get(`/v2/${type}?sort=created_at`)).body.data;
    },
    ({ length }) => length > 0,
    { max_wait_ms: 15_000, pause_ms: 500 },
  );
}

/** Kinds of a merchant's transfers about settlements. */
async function chargeOutcomesOf(client: Client): Promise<string[]> {
  const { body } = await client.get('/v2/ledger_transfers');
  const kinds = body.data.map(({ attributes }: ResourceObject) => attributes.kind);
  return kinds.filter((kind: string) => kind.startsWith('settled'));
}

describe('a settlement exception', () => {
  describeReads(api, type, async () => {
    await makePaid(api.client, { amount_cents: 19_709 });
    return (await exceptionsOf(api.client))[0] as ResourceObject;
  });
  describeRefusedMethods(api, type);

  it.each([
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
  ])('is %s if the file has %s a payment', async (kind, _, attributes, expected, found) => {
    const client = await newShop();
    const payment = await makePaid(client, attributes);
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
    expect(await ledgerDifferences(api.books.db)).toEqual([]);
  });

  it('is resolved once with a note, and emits its event', async () => {
    const client = await newShop();
    await makePaid(client, { amount_cents: 19_710 });
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
    const client = await newShop();
    const { id } = await makeCapture(client, await makeHeld(client, { amount_cents: 19_710 }));
    await settled(client, id, 'capture_demands');
    const [exception] = await exceptionsOf(client);
    expect(exception?.attributes).toMatchObject({
      kind: 'missing_in_file',
      processor_reference: id,
    });
    const other = await newShop();
    await makePaid(other, { amount_cents: 19_709 });
    expect(await exceptionsOf(other)).toHaveLength(1);
    expect(await exceptionsOf(client)).toHaveLength(1);
  });

  it('is missing_here if the processor refunded without a request from Florin', async () => {
    const client = await newShop();
    const payment = await makePaid(client, { amount_cents: 2500 });
    const [attempt] = await api.books.db.query(
      `select id from attempts where payment_demand_id = $1 and status = 'approved'`,
      [payment.id],
    );
    const reference = crypto.randomUUID();
    await fetch(`${api.stack.simulatorUrl}/v1/authorisations/${attempt?.id}/refunds`, {
      method: 'POST',
      body: JSON.stringify({ reference, amount: 700, currency: 'USD' }),
    });
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
    const client = await newShop();
    const { id } = await newestOf(client, 'merchants');
    const policy = documentOf('merchants', { late_approvals: 'reverse' }, {}, id);
    expect((await client.send('PATCH', `/v2/merchants/${id}`, policy)).status).toBe(200);
    const late = { confirmed: true, metadata: { simulate: 'late_approval' } };
    const payment = await makeDemand(client, late, await makeParties(client));
    await eventually(
      () => client.fetch('payment_demands', payment.id),
      ({ meta }) => meta?.outcome === 'unknown',
    );
    const [exception] = await exceptionsOf(client);
    expect((await settled(client, payment.id)).attributes.failure_reason).toBe('processor_timeout');
    expect(exception?.attributes).toMatchObject({ kind: 'missing_here', found_cents: 2500 });
    expect(exception?.relationships.payment_demand?.data).toMatchObject({ id: payment.id });
  });
});
