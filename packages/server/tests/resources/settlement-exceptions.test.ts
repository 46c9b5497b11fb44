import { beforeAll, describe, expect, it } from 'vitest';
import { findLedgerDifferences } from '../../src/features/ledger/sql/ledger-check.ts';
import { useOwnStack } from '../support/api.ts';
import { type Client, documentOf, type ResourceObject } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import {
  eventually,
  makeAuthorisedPayment,
  makeCapture,
  makeCapturedPayment,
  makeDemand,
  makeParties,
  newestOf,
  waitForOutcome,
} from '../support/make.ts';
import { describeReads, describeRefusedMethods } from '../support/resource-suite.ts';

const clock = createClockAhead();
const api = useOwnStack({ config: { clock }, now: () => new Date(clock.now() / 1000) });
const type = 'settlement_exceptions';
const DAY_SECONDS = 24 * 60 * 60;

const makeMerchantClient = async (): Promise<Client> =>
  api.as(await (await api.fixtures.makeMerchant()).makeKey());

const exceptionsOf = async (client: Client): Promise<ResourceObject[]> =>
  (await client.get(`/v2/${type}?sort=created_at`)).body.data;

/** Lets days pass until each of these merchants has exceptions. */
const passDays = (clients: readonly Client[]): Promise<unknown> =>
  eventually(
    async () => {
      clock.advance(DAY_SECONDS);
      return Promise.all(clients.map(exceptionsOf));
    },
    (exceptionLists) => exceptionLists.every(({ length }) => length > 0),
    { max_wait_ms: 15_000, pause_ms: 500 },
  );

/** Kinds of a merchant's transfers about settlements. */
async function settlementKindsOf(client: Client): Promise<string[]> {
  const { body } = await client.get('/v2/ledger_transfers');
  const kinds = body.data.map(({ attributes }: ResourceObject) => attributes.kind);
  return kinds.filter((kind: string) => kind.startsWith('settled'));
}

const differences = [
  ['amount_differs', 'less than', { amount_cents: 19_709 }, 19_709, 19_708],
  [
    'amount_differs',
    'less than, as simulated,',
    { amount_cents: 2500, metadata: { simulate: 'settlement_mismatch' } },
    2500,
    2499,
  ],
  ['missing_in_file', 'nothing of', { amount_cents: 19_710 }, 19_710, null],
  ['duplicate', 'twice', { amount_cents: 19_711 }, 19_711, 19_711],
  ['currency_differs', 'another currency than', { amount_cents: 19_712 }, 19_712, 19_712],
] as const;

async function makeSucceededCapture(client: Client): Promise<ResourceObject> {
  const capture = await makeCapture(
    client,
    await makeAuthorisedPayment(client, { amount_cents: 19_710 }),
  );
  return waitForOutcome(client, capture.id, 'capture_demands');
}

/** Creates a payment that the processor refunds. Returns the refund's reference, which Florin does not know. */
async function makeOutsideRefund(client: Client): Promise<string> {
  const payment = await makeCapturedPayment(client, { amount_cents: 2500 });
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
  const attributes = { confirmed: true, metadata: { simulate: 'late_approval' } };
  const payment = await makeDemand(client, attributes, await makeParties(client));
  return eventually(
    () => client.fetch('payment_demands', payment.id),
    ({ meta }) => meta?.outcome === 'unknown',
  );
}

interface MerchantWith<Item> {
  readonly client: Client;
  readonly item: Item;
}

async function makeMerchantWith<Item>(
  make: (client: Client) => Promise<Item>,
): Promise<MerchantWith<Item>> {
  const client = await makeMerchantClient();
  return { client, item: await make(client) };
}

/** Creates a merchant for each difference. All are settled together. */
const makeMerchants = async () => {
  const [cases, missingPayment, missingCapture, outsideRefund, lateApproval] = await Promise.all([
    Promise.all(
      differences.map(([, , attributes]) =>
        makeMerchantWith((client) => makeCapturedPayment(client, attributes)),
      ),
    ),
    makeMerchantWith((client) => makeCapturedPayment(client, { amount_cents: 19_710 })),
    makeMerchantWith(makeSucceededCapture),
    makeMerchantWith(makeOutsideRefund),
    makeMerchantWith(makeLateApproval),
  ]);
  return { cases, missingPayment, missingCapture, outsideRefund, lateApproval };
};

let merchants: Awaited<ReturnType<typeof makeMerchants>>;
beforeAll(async () => {
  merchants = await makeMerchants();
  const { cases, ...otherMerchants } = merchants;
  await passDays([...cases, ...Object.values(otherMerchants)].map(({ client }) => client));
  // Settled later than the other merchants, which get no second exceptions from that.
  await makeCapturedPayment(api.client, { amount_cents: 19_709 });
  await passDays([api.client]);
});

describe('a settlement exception', () => {
  describeReads(api, type, async () => (await exceptionsOf(api.client))[0] as ResourceObject);
  describeRefusedMethods(api, type);

  it.each(differences.map((difference, index) => [...difference, index] as const))(
    'is %s if the file has %s a payment',
    async (kind, _, _attributes, expectedCents, foundCents, index) => {
      const { client, item: payment } = merchants.cases[index]!;
      const [exception, ...otherExceptions] = await exceptionsOf(client);
      expect(otherExceptions).toEqual([]);
      expect(exception?.attributes).toMatchObject({
        status: 'open',
        kind,
        entry: 'capture',
        expected_cents: expectedCents,
        found_cents: foundCents,
        amount_currency: kind === 'currency_differs' ? 'XTS' : 'USD',
      });
      expect(exception?.relationships.payment_demand?.data).toMatchObject({ id: payment.id });
      expect(await settlementKindsOf(client)).toEqual(kind === 'duplicate' ? ['settled'] : []);
    },
  );

  it('leaves the ledger consistent', async () => {
    expect(await findLedgerDifferences(api.fixtures.db)).toEqual([]);
  });

  it('is resolved once with a note, and emits its event', async () => {
    const { client } = merchants.missingPayment;
    const { id } = (await exceptionsOf(client))[0] as ResourceObject;
    const updateException = (attributes: object) =>
      client.send('PATCH', `/v2/${type}/${id}`, documentOf(type, attributes, {}, id));
    for (const attributes of [
      { status: 'resolved' },
      { status: 'resolved', resolution_note: ' ' },
    ]) {
      const { status, body } = await updateException(attributes);
      expect([status, body.errors?.[0]?.source?.pointer]).toEqual([
        422,
        '/data/attributes/resolution_note',
      ]);
    }
    const resolution_note = 'The processor paid it on Monday.';
    expect((await updateException({ resolution_note })).body.data.attributes.status).toBe('open');
    const answer = await updateException({ status: 'resolved' });
    expect(answer.body.data.attributes).toMatchObject({
      status: 'resolved',
      resolution_note,
      resolved_at: expect.any(String),
    });
    for (const attributes of [{ status: 'open' }, { resolution_note: 'No.' }]) {
      expect((await updateException(attributes)).status).toBe(405);
    }
    const events = await client.get(`/v2/events?filter[resource_id]=${id}&sort=created_at`);
    expect(events.body.data.map(({ attributes }: ResourceObject) => attributes.slug)).toEqual([
      'created',
      'resolved',
    ]);
  });

  it('names the capture of a hold, and exists once', async () => {
    const { client, item: capture } = merchants.missingCapture;
    const exceptions = await exceptionsOf(client);
    expect(exceptions.map(({ attributes }) => attributes)).toMatchObject([
      { kind: 'missing_in_file', processor_reference: capture.id },
    ]);
  });

  it('is missing_here if the processor refunded without a request from Florin', async () => {
    const { client, item: reference } = merchants.outsideRefund;
    const [exception] = await exceptionsOf(client);
    expect(exception?.attributes).toMatchObject({
      kind: 'missing_here',
      entry: 'refund',
      processor_reference: reference,
      expected_cents: null,
      found_cents: 700,
    });
    expect(await settlementKindsOf(client)).toEqual(['settled']);
  });

  it('is missing_here if the processor keeps a payment that was refunded a day later', async () => {
    const { client, item: payment } = merchants.lateApproval;
    const [exception] = await exceptionsOf(client);
    expect((await waitForOutcome(client, payment.id)).attributes.failure_reason).toBe(
      'processor_timeout',
    );
    expect(exception?.attributes).toMatchObject({ kind: 'missing_here', found_cents: 2500 });
    expect(exception?.relationships.payment_demand?.data).toMatchObject({ id: payment.id });
  });
});
