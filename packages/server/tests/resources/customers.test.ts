import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { UNKNOWN_ID } from '../support/client.ts';
import { makeAddress, makeCustomer, makeDemand, makeMethod } from '../support/make.ts';
import {
  describeReads,
  describeRefusals,
  describeRefusedMethods,
  errorsOf,
  patch,
} from '../support/resource-suite.ts';

const api = useApi();
const make = () => makeCustomer(api.client);

describe('a customer', () => {
  describeReads(api, 'customers', make, [
    'merged_into',
    'addresses',
    'payment_demands',
    'payment_methods',
  ]);
  describeRefusedMethods(api, 'customers');

  it('needs only an email address', async () => {
    const { attributes } = await api.client.make('customers', { email: 'grace@example.com' });
    expect(attributes).toMatchObject({
      email: 'grace@example.com',
      name: null,
      phone_number: null,
      description: null,
      blocked_at: null,
    });
  });

  it('stores its attributes in any script', async () => {
    const attributes = {
      email: 'zoë@example.com',
      name: 'Zoë 李',
      description: 'pays in “cash” 🎉',
    };
    expect((await makeCustomer(api.client, attributes)).attributes).toMatchObject(attributes);
  });

  it.each([
    ['(212) 555-0123', '+12125550123'],
    ['+44 20 7946 0958', '+442079460958'],
    ['+49-30-901820', '+4930901820'],
  ])('has its phone number %s in E.164: %s', async (input, storedNumber) => {
    const { attributes } = await makeCustomer(api.client, { phone_number: input });
    expect(attributes.phone_number).toBe(storedNumber);
  });

  describeRefusals(api, { type: 'customers', validAttributes: { email: 'a@example.com' }, make }, [
    ['no e-mail address', { email: undefined }, 'blank'],
    ['a null e-mail address', { email: null }, 'blank'],
    ['an empty e-mail address', { email: '' }, 'blank'],
    ['an e-mail address without a domain', { email: 'nobody' }, 'invalid'],
    ['an e-mail address that is a number', { email: 7 }, 'invalid'],
    [
      'an e-mail address of 255 characters',
      { email: `${'a'.repeat(243)}@example.com` },
      'too_long',
    ],
    ['a phone number of letters', { phone_number: 'call me' }, 'invalid_phone'],
    ['a phone number without a country', { phone_number: '12' }, 'invalid_phone'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'too_long'],
    ['a name that cannot be stored', { name: 'a\u0000b' }, 'invalid'],
    ['a description of 1001 characters', { description: 'x'.repeat(1001) }, 'too_long'],
    ['a blocking time', { blocked_at: '2026-01-01T00:00:00Z' }, 'read_only'],
    ['a creation time', { created_at: '2026-01-01T00:00:00Z' }, 'read_only'],
    ['an attribute that does not exist', { nick_name: 'Al' }, 'unknown_attribute'],
  ]);

  it('gets all its problems in one response', async () => {
    const answer = await api.client.send('POST', '/v2/customers', {
      data: { type: 'customers', attributes: { phone_number: '1', age: 7 } },
    });
    expect(answer.status).toBe(422);
    expect(errorsOf(answer).sort()).toEqual([
      ['blank', '/data/attributes/email'],
      ['invalid_phone', '/data/attributes/phone_number'],
      ['unknown_attribute', '/data/attributes/age'],
    ]);
  });

  it('updates only the given attributes, and moves updated_at', async () => {
    const customer = await makeCustomer(api.client, { description: 'regular' });
    const { status, body } = await patch(api, customer, { name: null, phone_number: '2125550199' });
    expect(status).toBe(200);
    const { updated_at, ...otherAttributes } = body.data.attributes;
    const { updated_at: oldUpdatedAt, ...oldAttributes } = customer.attributes;
    expect(otherAttributes).toEqual({ ...oldAttributes, name: null, phone_number: '+12125550199' });
    expect(updated_at > oldUpdatedAt).toBe(true);
    expect(await api.client.fetch('customers', customer.id)).toEqual(body.data);
  });

  it.each(['addresses', 'payment_demands', 'payment_methods'])(
    'refuses %s, which reference it themselves',
    async (name) => {
      const { id } = await make();
      const type = name === 'addresses' ? 'consumer_addresses' : name;
      const answer = await api.client.send('PATCH', `/v2/customers/${id}`, {
        data: {
          type: 'customers',
          id,
          relationships: { [name]: { data: [{ type, id: UNKNOWN_ID }] } },
        },
      });
      expect([answer.status, errorsOf(answer)]).toEqual([
        422,
        [['read_only', `/data/relationships/${name}`]],
      ]);
    },
  );

  it('links to the records that reference it', async () => {
    const customer = await make();
    const address = await makeAddress(api.client, {}, { customer });
    const method = await makeMethod(api.client, 'visa', { customer });
    const demand = await makeDemand(api.client, {}, { payer: customer });
    const idsOf = async (name: string) =>
      (await api.client.get(`/v2/customers/${customer.id}/relationships/${name}`)).body.data.map(
        ({ id }: { id: string }) => id,
      );
    expect(await idsOf('addresses')).toEqual([address.id]);
    expect(await idsOf('payment_methods')).toEqual([method.id]);
    expect(await idsOf('payment_demands')).toEqual([demand.id]);
  });

  it('emits events for its creation and each change', async () => {
    const customer = await make();
    await patch(api, customer, { name: 'Lovelace' });
    const { body } = await api.client.get(
      `/v2/events?filter[resource_id]=${customer.id}&sort=created_at`,
    );
    const events = body.data.map(({ attributes }: typeof customer) => [
      attributes.resource_type,
      attributes.slug,
      attributes.data.attributes.name,
    ]);
    expect(events).toEqual([
      ['consumer.customers', 'created', 'Ada'],
      ['consumer.customers', 'updated', 'Lovelace'],
    ]);
  });
});
