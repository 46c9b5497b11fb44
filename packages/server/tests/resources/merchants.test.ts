import { randomUUID } from 'node:crypto';
import { hashKey } from '@florin/server/features/merchants/api-key.ts';
import { createCallers } from '@florin/server/features/merchants/sql/callers.ts';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { documentOf, type ResourceObject } from '../support/client.ts';
import { makeCustomer, purchase } from '../support/make.ts';
import {
  describeReads,
  describeRefusals,
  describeRefusedMethods,
  errorsOf,
  patch,
} from '../support/resource-suite.ts';

const api = useApi();
/** Changes attributes that both modes share. */
const live = {
  get client() {
    return api.live;
  },
};
const fetchMerchant = async (): Promise<ResourceObject> =>
  (await api.client.get('/v2/merchants')).body.data[0];

describe('a merchant', () => {
  describeReads(api, 'merchants', fetchMerchant, [
    'customers',
    'payment_demands',
    'payment_methods',
  ]);
  describeRefusedMethods(api, 'merchants');

  it('sees only itself, the same in both modes', async () => {
    await api.fixtures.makeMerchant();
    const { body } = await api.client.get('/v2/merchants');
    expect(body.data).toHaveLength(1);
    expect((await api.live.get('/v2/merchants')).body.data).toEqual(body.data);
  });

  it.each([
    ['business_name', 'Ada’s Flowers', 'Ada’s Flowers'],
    ['business_description', 'Cut flowers', 'Cut flowers'],
    ['business_email', 'shop@example.com', 'shop@example.com'],
    ['business_support_email', 'help@example.com', 'help@example.com'],
    ['business_support_url', 'https://example.com/help', 'https://example.com/help'],
    ['business_terms_url', 'https://example.com/terms', 'https://example.com/terms'],
    ['business_privacy_policy_url', 'https://example.com/privacy', 'https://example.com/privacy'],
    ['business_website', 'https://example.com', 'https://example.com'],
    ['business_timezone', 'America/New_York', 'America/New_York'],
    ['business_zip_code', '10001', '10001'],
    ['phone_number', '212 555 0123', '+12125550123'],
  ])('changes its %s', async (name, input, storedValue) => {
    const merchant = await fetchMerchant();
    const { status, body } = await patch(live, merchant, { [name]: input });
    expect(status).toBe(200);
    expect(body.data.attributes).toEqual({
      ...merchant.attributes,
      [name]: storedValue,
      updated_at: expect.any(String),
    });
    expect(await fetchMerchant()).toEqual(body.data);
  });

  it.each([
    ['accepted_currencies', ['KWD', 'jpy'], ['KWD', 'JPY']],
    ['accepted_currencies', null, ['USD']],
    ['dunning_days', 3, 3],
  ])('changes its %s of the sandbox', async (name, input, storedValue) => {
    const merchant = await fetchMerchant();
    const { status, body } = await patch(api, merchant, { [name]: input });
    expect(status).toBe(200);
    expect(body.data.attributes).toEqual({
      ...merchant.attributes,
      [name]: storedValue,
      updated_at: expect.any(String),
    });
    expect(await fetchMerchant()).toEqual(body.data);
  });

  it('applies a changed setting immediately, in every process and for keys in use', async () => {
    const key = api.stack.credentials.sandbox.secret_key;
    const clock = { ms: 0 };
    const otherCallers = createCallers(api.fixtures.db, () => clock.ms);
    const payInEuros = () =>
      api.client.send(
        'POST',
        '/v2/payment_demands',
        documentOf('payment_demands', { ...purchase, amount_currency: 'EUR' }),
      );
    const readAcceptedCurrencies = async () =>
      (await otherCallers.find(hashKey(key)))?.settings.currencies;
    expect(await readAcceptedCurrencies()).not.toContain('EUR');
    for (const [currencies, status] of [
      [['USD', 'EUR'], 201],
      [['USD'], 422],
    ] as const) {
      await patch(api, await fetchMerchant(), { accepted_currencies: currencies });
      expect((await payInEuros()).status).toBe(status);
      clock.ms += 500;
      expect(await readAcceptedCurrencies()).toEqual(new Set(currencies));
    }
  });

  it('without a time zone uses UTC', async () => {
    const { body } = await patch(live, await fetchMerchant(), { business_timezone: null });
    expect(body.data.attributes.business_timezone).toBe('UTC');
  });

  describeRefusals(api, { type: 'merchants', validAttributes: {}, make: fetchMerchant }, [
    ['a timezone that does not exist', { business_timezone: 'Mars/Olympus' }, 'invalid'],
    ['an address that is no http', { business_website: 'ftp://example.com' }, 'invalid'],
    ['an e-mail address without a domain', { business_email: 'shop' }, 'invalid'],
    ['a phone number of letters', { phone_number: 'shop' }, 'invalid_phone'],
    ['a category code', { category_code: '5045' }, 'read_only'],
    ['bankruptcies', { prior_bankruptcies: true }, 'read_only'],
    ['an attribute that does not exist', { threeds: 'off' }, 'unknown_attribute'],
    ['no currency', { accepted_currencies: [] }, 'too_few_items'],
    [
      'a currency that does not exist',
      { accepted_currencies: ['USD', 'XXZ'] },
      'invalid',
      'accepted_currencies/1',
    ],
    [
      'a currency twice',
      { accepted_currencies: ['EUR', 'USD', 'eur'] },
      'invalid',
      'accepted_currencies/2',
    ],
  ]);

  it('has a 3-D Secure policy per mode, and a sandbox key cannot change that of live mode', async () => {
    const merchant = await api.fixtures.makeMerchant();
    const [sandbox, live] = [
      api.as(await merchant.makeKey()),
      api.as(await merchant.makeKey({ mode: 'live' })),
    ];
    const send = (client: typeof live, attributes: object) =>
      client.send('PATCH', `/v2/merchants/${merchant.id}`, {
        data: { type: 'merchants', id: merchant.id, attributes },
      });
    const refused = await send(sandbox, { threeds_live: 'off', threeds_sandbox: 'off' });
    expect([refused.status, errorsOf(refused)[0]?.[0]]).toEqual([403, 'live_rights_required']);
    const changed = await send(live, { threeds_live: 'required_or_asserted' });
    expect(changed.body.data.attributes).toMatchObject({
      threeds_live: 'required_or_asserted',
      threeds_sandbox: 'when_available',
    });
    // A record may be sent back whole.
    const whole = { threeds_live: 'required_or_asserted', threeds_sandbox: 'when_available' };
    expect((await send(sandbox, whole)).status).toBe(200);
    expect(errorsOf(await send(live, { threeds_live: 'never' }))).toEqual([
      ['not_in_list', '/data/attributes/threeds_live'],
    ]);
  });

  it('is not found by another merchant', async () => {
    const { id } = await fetchMerchant();
    const otherMerchant = await api.fixtures.makeMerchant();
    const otherApi = { client: api.as(await otherMerchant.makeKey()) };
    const answer = await patch(otherApi, { type: 'merchants', id }, { business_name: 'Mine' });
    expect([answer.status, errorsOf(answer)]).toEqual([404, [['not_found', undefined]]]);
  });

  it('links to its records in the mode of the key', async () => {
    const customer = await makeCustomer(api.client);
    const { id } = await fetchMerchant();
    const customersOf = async (client: typeof api.client) =>
      (await client.get(`/v2/merchants/${id}/relationships/customers`)).body.data;
    expect(await customersOf(api.client)).toEqual([customer]);
    expect(await customersOf(api.live)).toEqual([]);
  });

  describe('with an attribute that has a new name and an old one', () => {
    const save = async (attributes: object) =>
      patch(api, await fetchMerchant(), attributes).then(({ status, body }) => [
        status,
        body.errors?.[0]?.detail ?? body.data.attributes.customer_permissions,
        body.data?.attributes.customers_may,
      ]);

    it('takes either name, and shows both', async () => {
      const values = ['cancel'];
      expect(await save({ customer_permissions: values })).toEqual([200, values, values]);
      expect(await save({ customers_may: [] })).toEqual([200, [], []]);
    });

    it('saves a record that was read, with one attribute changed', async () => {
      const { attributes } = await fetchMerchant();
      const { customers_may } = attributes;
      expect(await save({ customers_may, customer_permissions: ['pause'] })).toEqual([
        200,
        ['pause'],
        ['pause'],
      ]);
    });

    it('saves a record that was read, with one attribute changed under its old name', async () => {
      const { customer_permissions } = (await fetchMerchant()).attributes;
      const values = ['cancel_now'];
      const attributes = { customer_permissions, customers_may: values };
      expect(await save(attributes)).toEqual([200, values, values]);
    });

    it('repeats such a save with its key, and changes nothing', async () => {
      const { id, attributes } = await fetchMerchant();
      const { customer_permissions } = attributes;
      const body = documentOf(
        'merchants',
        { customer_permissions, customers_may: ['pause'] },
        {},
        id,
      );
      const headers = { 'idempotency-key': randomUUID() };
      const send = () => api.client.send('PATCH', `/v2/merchants/${id}`, body, headers);
      const answers = [await send(), await send()];
      expect(
        answers.map((answer) => [
          answer.status,
          answer.headers.get('idempotent-replayed'),
          answer.body.data.attributes.customer_permissions,
        ]),
      ).toEqual([
        [200, null, ['pause']],
        [200, 'true', ['pause']],
      ]);
    });

    it('refuses two different values, and names the new attribute', async () => {
      const answer = await save({ customers_may: ['change_card'], customer_permissions: [] });
      expect(answer).toEqual([
        422,
        'customers_may is the old name of customer_permissions. Change customer_permissions only.',
        undefined,
      ]);
    });
  });
});
