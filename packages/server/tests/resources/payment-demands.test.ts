import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { documentOf, type ResourceObject, UNKNOWN_ID } from '../support/client.ts';
import {
  eventually,
  makeCustomer,
  makeDemand,
  makeMethod,
  makeParties,
  purchase,
  waitForOutcome,
} from '../support/make.ts';
import {
  describeReads,
  describeRefusals,
  describeRefusedMethods,
  describeUnknownRelations,
  errorsOf,
  patch,
} from '../support/resource-suite.ts';

const api = useApi();
const validAttributes = { amount_cents: 2500, amount_currency: 'USD' };
/** Results from the client's own 3-D Secure server. */
const threedsResults = {
  threeds_version: '2.2.0',
  threeds_status: 'Y',
  threeds_cryptogram: 'AJkBB4OBmVFmgYFYFIGZAAAAAAA=',
  eci: '05',
  directory_transaction_eid: '3cb1e2a0-7f0f-4a5e-9f58-9f0c33a2f4b1',
  acs_transaction_eid: '5d2c7a10-52a5-46b5-8a7e-0d5dca1c59a2',
};
const make = (): Promise<ResourceObject> => makeDemand(api.client);
const subject = { type: 'payment_demands', validAttributes, make } as const;
const item = { quantity: 2, amount_cents: 1250, amount_currency: 'USD' };

describe('a payment demand', () => {
  describeReads(
    api,
    'payment_demands',
    async () => makeDemand(api.client, { line_items: [item] }, await makeParties(api.client)),
    [
      'buyer',
      'capture_demands',
      'disputes',
      'payment_attempts',
      'payment_link',
      'payment_subscription',
      'receiver',
      'refund_demands',
      'shipping_address',
    ],
  );
  describeRefusedMethods(api, 'payment_demands');

  it('needs only an amount and a currency, and is an intent then', async () => {
    const { attributes, relationships } = await api.client.make('payment_demands', validAttributes);
    expect(attributes).toMatchObject({
      ...validAttributes,
      processor_state: 'incomplete',
      status: 'incomplete',
      confirmed: false,
      amount_refunded_cents: 0,
      fee_cents: 0,
      capture_method: 'automatic',
      email_receipt: true,
      cvc2_check: 'unprocessed',
      address_line1_verification: 'unverified',
      postal_code_verification: 'unverified',
      failure_reason: null,
      succeeded_at: null,
      payer_timezone: null,
      line_items: null,
      shipping_detail: null,
      tax_detail: null,
    });
    const { merchant, ...otherRelationships } = relationships;
    expect(merchant?.data).toMatchObject({ type: 'merchants' });
    for (const name of ['capture_demands', 'disputes', 'payment_attempts', 'refund_demands']) {
      expect(otherRelationships[name]).not.toHaveProperty('data');
      delete otherRelationships[name];
    }
    expect(Object.values(otherRelationships).map(({ data }) => data)).toEqual(Array(8).fill(null));
  });

  it('returns exactly the given attributes', async () => {
    const attributes = {
      ...purchase,
      amount_cents: 10,
      description: 'Ten cents',
      idempotency_key: 'Ünïque/7',
      email_receipt: false,
      purchase_kind: 'invoice',
      discount_cents: 0,
      payer_timezone: 'Europe/Berlin',
      ...threedsResults,
      shipping_detail: { shipping_cents: 500, shipping_currency: 'USD' },
      tax_detail: { tax_cents: 190, tax_currency: 'USD' },
    };
    expect((await makeDemand(api.client, attributes)).attributes).toMatchObject(attributes);
  });

  it('shows only the given relationships', async () => {
    const { payer, billing_address } = await makeParties(api.client);
    const payment = await makeDemand(
      api.client,
      {},
      { payer: payer!, billing_address: billing_address! },
    );
    const { buyer, receiver, shipping_address, ...shownRelationships } = payment.relationships;
    expect(shownRelationships.payer?.data).toEqual({ type: 'customers', id: payer!.id });
    expect(shownRelationships.billing_address?.data).toEqual({
      type: 'consumer_addresses',
      id: billing_address!.id,
    });
    expect([buyer?.data, receiver?.data, shipping_address?.data]).toEqual([null, null, null]);
  });

  const partiesOf = ({ relationships }: ResourceObject) =>
    ['buyer', 'receiver', 'shipping_address'].map(
      (name) => (relationships[name]?.data as ResourceObject | null)?.id,
    );

  it.each(['automatic', 'manual'])(
    'shows its other parties once it is approved, and not before: capture %s',
    async (capture_method) => {
      const parties = await makeParties(api.client);
      const { payer, billing_address } = parties;
      const attributes = { confirmed: true, capture_method };
      const payment = await makeDemand(api.client, attributes, parties);
      expect(partiesOf(payment)).toEqual([undefined, undefined, undefined]);
      const approvedPayment = await eventually(
        () => api.client.fetch('payment_demands', payment.id),
        ({ attributes: { status } }) => ['succeeded', 'authorised'].includes(status),
      );
      expect(partiesOf(approvedPayment)).toEqual([payer!.id, payer!.id, billing_address!.id]);
      const answer = await api.client.get(`/v2/payment_demands?filter[buyer]=${payer!.id}`);
      expect(answer.body.data.map(({ id }: ResourceObject) => id)).toEqual([payment.id]);
    },
  );

  it('keeps its named payer, and sets none while it fails', async () => {
    const parties = await makeParties(api.client, 'generic_decline');
    const receiver = await makeCustomer(api.client);
    const payment = await makeDemand(api.client, { confirmed: true }, { ...parties, receiver });
    const failedPayment = await waitForOutcome(api.client, payment.id);
    expect(partiesOf(failedPayment)).toEqual([undefined, receiver.id, undefined]);
    const { payer, payment_method } = await makeParties(api.client);
    const newParties = { payer: payer!, payment_method: payment_method! };
    expect((await patch(api, failedPayment, {}, newParties)).status).toBe(200);
    await api.client.send('PATCH', `/v2/payment_demands/${payment.id}/confirm`);
    const paidPayment = await waitForOutcome(api.client, payment.id);
    const { billing_address } = parties;
    expect(partiesOf(paidPayment)).toEqual([payer!.id, receiver.id, billing_address!.id]);
  });

  describeRefusals(api, subject, [
    ['no amount', { amount_cents: undefined }, 'blank'],
    ['an amount of 9 cents', { amount_cents: 9 }, 'too_small'],
    ['an amount with a fraction', { amount_cents: 10.5 }, 'invalid'],
    ['an amount that is text', { amount_cents: '2500' }, 'invalid'],
    ['an amount beyond exact numbers', { amount_cents: 2 ** 53 }, 'invalid'],
    ['no currency', { amount_currency: undefined }, 'blank'],
    ['a currency that does not exist', { amount_currency: 'XXX' }, 'invalid'],
    [
      'a currency that the merchant does not take',
      { amount_currency: 'SEK' },
      'currency_not_accepted',
    ],
    ['a capture method that does not exist', { capture_method: 'later' }, 'not_in_list'],
    ['a purchase kind that does not exist', { purchase_kind: 'gift' }, 'not_in_list'],
    ['a receipt that is text', { email_receipt: 'yes' }, 'invalid'],
    ['a timezone that does not exist', { payer_timezone: 'Mars/Olympus' }, 'invalid'],
    ['a negative discount', { discount_cents: -1 }, 'too_small'],
    ['an idempotency key of 256 characters', { idempotency_key: 'k'.repeat(256) }, 'too_long'],
    ['a state', { processor_state: 'succeeded' }, 'read_only'],
    ['the other name of the state', { status: 'succeeded' }, 'read_only'],
    ['a fee', { fee_cents: 5 }, 'read_only'],
    ['a check of the card', { cvc2_check: 'match' }, 'read_only'],
    ['an attribute that does not exist', { amount: 25 }, 'unknown_attribute'],
    ['items that are no list', { line_items: {} }, 'invalid'],
    ['101 items', { line_items: Array(101).fill(item) }, 'too_long'],
    ['an item that is no object', { line_items: [item, 'x'] }, 'invalid', 'line_items/1'],
    [
      'an item with the quantity 0',
      { line_items: [{ ...item, quantity: 0 }] },
      'too_small',
      'line_items/0/quantity',
    ],
    [
      'an item without an amount',
      { line_items: [item, { quantity: 1, amount_currency: 'USD' }] },
      'blank',
      'line_items/1/amount_cents',
    ],
    [
      'an item with a negative tax',
      { line_items: [{ ...item, tax_cents: -1 }] },
      'too_small',
      'line_items/0/tax_cents',
    ],
    [
      'an item with an id',
      { line_items: [{ ...item, id: UNKNOWN_ID }] },
      'read_only',
      'line_items/0/id',
    ],
    [
      'shipping in a currency that does not exist',
      { shipping_detail: { shipping_cents: 1, shipping_currency: 'XXX' } },
      'invalid',
      'shipping_detail/shipping_currency',
    ],
    [
      'shipping in another currency than the payment',
      { shipping_detail: { shipping_cents: 1, shipping_currency: 'EUR' } },
      'invalid',
      'shipping_detail/shipping_currency',
    ],
    [
      'an item with a tax in another currency',
      { line_items: [item, { ...item, tax_currency: 'EUR' }] },
      'invalid',
      'line_items/1/tax_currency',
    ],
    [
      'an item with a discount above its amount',
      { line_items: [{ ...item, discount_cents: item.amount_cents + 1 }] },
      'too_large',
      'line_items/0/discount_cents',
    ],
    ['an indicator that is no two digits', { eci: '5x' }, 'invalid'],
    ['a version of 3-D Secure in words', { threeds_version: 'second' }, 'invalid'],
    ['a result of 3-D Secure that is no letter', { threeds_status: 'yes' }, 'invalid'],
    ['the status of a wallet', { threeds_status: 'wallet' }, 'invalid'],
    ['a cryptogram of other characters', { threeds_cryptogram: 'AAAé' }, 'invalid'],
    [
      'a tax with a member that does not exist',
      { tax_detail: { rate: 19 } },
      'unknown_attribute',
      'tax_detail/rate',
    ],
  ]);

  it('accepts every currency of its merchant, in any case', async () => {
    const merchant = await api.fixtures.makeMerchant({
      accepted_currencies: '["USD","JPY","KWD"]',
    });
    const client = api.as(await merchant.makeKey());
    for (const currency of ['jpy', 'KWD']) {
      const { attributes } = await makeDemand(client, { amount_currency: currency });
      expect(attributes.amount_currency).toBe(currency.toUpperCase());
    }
  });

  describeUnknownRelations(api, subject);
});

describe('the line items of a payment demand', () => {
  const itemDefaults = {
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: null,
    sku: null,
    unit_of_measure: null,
    description: '',
    commodity_code: null,
    tax_cents: 0,
    tax_currency: 'USD',
    discount_cents: 0,
    discount_currency: 'USD',
  };

  it('read back complete, each with an id', async () => {
    const namedItem = { ...item, name: 'Rose', tax_cents: 7, discount_cents: 3 };
    const { attributes, id } = await makeDemand(api.client, { line_items: [item, namedItem] });
    const expected = [
      { ...itemDefaults, ...item },
      { ...itemDefaults, ...namedItem },
    ];
    expect(attributes.line_items).toEqual(expected);
    const fetched = await api.client.fetch('payment_demands', id);
    expect(fetched.attributes.line_items).toEqual(attributes.line_items);
  });

  it('read back the same way after an update, which replaces them', async () => {
    const payment = await makeDemand(api.client, { line_items: [item, item] });
    const { body } = await patch(api, payment, { line_items: [{ ...item, quantity: 1 }] });
    expect(body.data.attributes.line_items).toEqual([{ ...itemDefaults, ...item, quantity: 1 }]);
  });

  it('are never summed: the amount is charged', async () => {
    const { attributes } = await makeDemand(api.client, { amount_cents: 99, line_items: [item] });
    expect(attributes.amount_cents).toBe(99);
  });
});

describe('an update of a payment demand', () => {
  it('sets each attribute and relationship that may be changed', async () => {
    const { payer, billing_address } = await makeParties(api.client);
    const changes = {
      amount_cents: 5000,
      amount_currency: 'USD',
      description: 'Changed',
      discount_cents: 100,
      email_receipt: false,
      purchase_reference: 'order-2',
      purchase_kind: 'invoice',
      shipping_detail: { shipping_cents: 1, shipping_currency: 'USD' },
      tax_detail: { tax_cents: 2, tax_currency: 'USD' },
    };
    const people = { payer: payer!, buyer: payer!, receiver: payer! };
    const addresses = { billing_address: billing_address!, shipping_address: billing_address! };
    const payment = await make();
    const { status, body } = await patch(api, payment, changes, { ...people, ...addresses });
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject(changes);
    for (const [name, { type, id }] of Object.entries({ ...people, ...addresses })) {
      expect(body.data.relationships[name].data, name).toEqual({ type, id });
    }
    expect(await api.client.fetch('payment_demands', payment.id)).toEqual(body.data);
  });

  it.each([
    ['idempotency_key', 'k'],
    ['capture_method', 'manual'],
    ['confirmed', true],
    ['payer_timezone', 'UTC'],
    ['eci', '05'],
  ])('does not set %s, which only a create sets', async (name, value) => {
    const answer = await patch(api, await make(), { [name]: value });
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [['read_only', `/data/attributes/${name}`]],
    ]);
  });

  it('of the payment method applies to the charge, without the results of the other card', async () => {
    const payment = await makeDemand(
      api.client,
      { eci: '05', threeds_status: 'Y' },
      await makeParties(api.client, 'generic_decline'),
    );
    const payment_method = await makeMethod(api.client);
    const { status, body } = await patch(api, payment, {}, { payment_method });
    expect(status).toBe(200);
    expect(body.data.relationships.payment_method.data.id).toBe(payment_method.id);
    expect(body.data.attributes).toMatchObject({ eci: null, threeds_status: null });
    await api.client.send('PATCH', `/v2/payment_demands/${payment.id}/confirm`);
    expect((await waitForOutcome(api.client, payment.id)).attributes.status).toBe('succeeded');
  });

  const results = { eci: '05', threeds_status: 'Y', threeds_version: '2.2.0' };
  const noResults = { eci: null, threeds_status: null, threeds_version: null };
  it.each([
    ['to another amount drops', 2600, noResults],
    ['to the same amount keeps', purchase.amount_cents, results],
  ])("%s the bank's authentication of the payer", async (_title, cents, expected) => {
    const { body } = await patch(api, await makeDemand(api.client, results), {
      amount_cents: cents,
    });
    expect(body.data.attributes).toMatchObject(expected);
  });

  it('clears a relationship with null, and a ready payment is incomplete again', async () => {
    const payment = await makeDemand(api.client, {}, await makeParties(api.client));
    expect(payment.attributes.status).toBe('ready');
    const { body } = await api.client.send('PATCH', `/v2/payment_demands/${payment.id}`, {
      data: {
        type: 'payment_demands',
        id: payment.id,
        relationships: { payer: { data: null } },
      },
    });
    expect(body.data.relationships.payer.data).toBeNull();
    expect(body.data.attributes.status).toBe('incomplete');
  });

  it('of a succeeded payment is 405 and lists the allowed actions', async () => {
    const payment = await makeDemand(
      api.client,
      { confirmed: true },
      await makeParties(api.client),
    );
    await waitForOutcome(api.client, payment.id);
    const answer = await patch(api, payment, { description: 'Too late' });
    expect(answer.status).toBe(405);
    expect(answer.body.errors?.[0]).toMatchObject({
      code: 'invalid_state',
      detail: expect.stringContaining('succeeded'),
      meta: { state: 'succeeded', allowed_actions: ['refund'] },
    });
  });

  it('of a failed payment is possible, and emits an event', async () => {
    const parties = await makeParties(api.client, 'generic_decline');
    const payment = await makeDemand(api.client, { confirmed: true }, parties);
    await waitForOutcome(api.client, payment.id);
    expect((await patch(api, payment, { description: 'Another try' })).status).toBe(200);
    const { body } = await api.client.get(
      `/v2/events?filter[resource_id]=${payment.id}&filter[slug]=updated`,
    );
    expect(body.data[0].attributes.data.attributes.description).toBe('Another try');
  });
});

describe('a create of a payment demand that is confirmed', () => {
  it('lists all missing requirements, and stores nothing', async () => {
    const answer = await api.client.send(
      'POST',
      '/v2/payment_demands',
      documentOf('payment_demands', {
        ...validAttributes,
        confirmed: true,
        description: 'unfinished',
      }),
    );
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [
        ['blank', '/data/attributes/purchase_reference'],
        ['blank', '/data/attributes/purchase_kind'],
        ['blank', '/data/relationships/payer'],
        ['blank', '/data/relationships/payment_method'],
        ['blank', '/data/relationships/billing_address'],
      ],
    ]);
    const { body } = await api.client.get('/v2/payment_demands?filter[description]=unfinished');
    expect(body.data).toEqual([]);
  });

  it('needs 3-D Secure results if the merchant requires them', async () => {
    const merchant = await api.fixtures.makeMerchant({ threeds_sandbox: 'required' });
    const client = api.as(await merchant.makeKey());
    const parties = await makeParties(client);
    const document = documentOf('payment_demands', { ...purchase, confirmed: true }, parties);
    const answer = await client.send('POST', '/v2/payment_demands', document);
    expect(errorsOf(answer).map(([, pointer]) => pointer)).toEqual(
      [
        'threeds_version',
        'threeds_status',
        'eci',
        'directory_transaction_eid',
        'acs_transaction_eid',
      ].map((name) => `/data/attributes/${name}`),
    );
  });

  it('refuses 3-D Secure results that prove nothing if the merchant requires them', async () => {
    const merchant = await api.fixtures.makeMerchant({ threeds_sandbox: 'required' });
    const client = api.as(await merchant.makeKey());
    const parties = await makeParties(client);
    const refusal = [422, [['authentication_required', '/data/attributes/threeds_status']]];
    for (const threeds_status of ['N', 'R', 'U', 'I', 'C', 'not_enrolled']) {
      const attributes = { ...purchase, ...threedsResults, threeds_status };
      const document = documentOf(
        'payment_demands',
        { ...attributes, confirmed: true, description: 'forged' },
        parties,
      );
      const answer = await client.send('POST', '/v2/payment_demands', document);
      expect([answer.status, errorsOf(answer)]).toEqual(refusal);
      const intent = await makeDemand(client, attributes, parties);
      expect(intent.attributes.status).toBe('incomplete');
      const confirmation = await client.send('PATCH', `/v2/payment_demands/${intent.id}/confirm`);
      expect([confirmation.status, errorsOf(confirmation)]).toEqual(refusal);
    }
    const { body } = await client.get('/v2/payment_demands?filter[description]=forged');
    expect(body.data).toEqual([]);
  });

  it.each([
    ['required', 'incomplete', 422],
    ['required_or_asserted', 'ready', 201],
  ])(
    'with a result that only the client asserts, under the policy %s',
    async (policy, state, status) => {
      const merchant = await api.fixtures.makeMerchant({ threeds_sandbox: policy });
      const client = api.as(await merchant.makeKey());
      const parties = await makeParties(client);
      const attributes = { ...purchase, ...threedsResults };
      const intent = await makeDemand(client, attributes, parties);
      expect(intent.attributes).toMatchObject({ status: state, threeds_source: 'asserted' });
      const document = documentOf('payment_demands', { ...attributes, confirmed: true }, parties);
      const answer = await client.send('POST', '/v2/payment_demands', document);
      expect(answer.status).toBe(status);
      const claim = documentOf('payment_demands', { ...attributes, threeds_source: 'verified' });
      expect(errorsOf(await client.send('POST', '/v2/payment_demands', claim))).toEqual([
        ['read_only', '/data/attributes/threeds_source'],
      ]);
    },
  );

  it("uses the merchant's time zone if the payer has none", async () => {
    const merchant = await api.fixtures.makeMerchant({ business_timezone: 'America/Chicago' });
    const client = api.as(await merchant.makeKey());
    const payment = await makeDemand(client, { confirmed: true }, await makeParties(client));
    expect(payment.attributes.payer_timezone).toBe('America/Chicago');
  });
});

describe('the state of a payment demand', () => {
  it.each(['status', 'processor_state'])('can be filtered and sorted as %s', async (name) => {
    const payment = await makeDemand(api.client, { purchase_reference: `by ${name}` });
    const answer = await api.client.get(
      `/v2/payment_demands?filter[${name}]=incomplete,ready&filter[purchase_reference]=by ${name}&sort=${name}`,
    );
    expect(answer.body.data).toEqual([payment]);
  });
});
