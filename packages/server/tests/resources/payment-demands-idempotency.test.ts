import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { documentOf } from '../support/client.ts';
import { makeAddress, makeCustomer, purchase } from '../support/make.ts';

const api = useApi();

describe('a payment demand that is made with an idempotency key', () => {
  const post = (attributes: object, headers: Record<string, string> = {}) =>
    api.client.send(
      'POST',
      '/v2/payment_demands',
      documentOf('payment_demands', { ...purchase, ...attributes }),
      headers,
    );

  it.each([
    ['in its body', { idempotency_key: 'twin-1' }, {}],
    ['in a header', {}, { 'idempotency-key': 'twin-2' }],
  ])('%s is made once', async (_where, attributes, headers) => {
    const [first, second] = [await post(attributes, headers), await post(attributes, headers)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
  });

  it('may share it with a record of another type or mode', async () => {
    const headers = { 'idempotency-key': 'shared' };
    expect((await post({}, headers)).status).toBe(201);
    const customer = documentOf('customers', { email: 'a@example.com' });
    expect((await api.client.send('POST', '/v2/customers', customer, headers)).status).toBe(201);
    const live = documentOf('payment_demands', { ...purchase, amount_cents: 77 });
    expect((await api.live.send('POST', '/v2/payment_demands', live, headers)).status).toBe(201);
  });

  it('is the same request whatever the order of its members', async () => {
    const payer = await makeCustomer(api.client);
    const address = await makeAddress(api.client);
    const relations = { payer, billing_address: address };
    const one = documentOf('payment_demands', { ...purchase, idempotency_key: 'order' }, relations);
    const other = {
      data: Object.fromEntries(
        Object.entries(one.data)
          .reverse()
          .map(([name, value]) => [
            name,
            typeof value === 'object' ? Object.fromEntries(Object.entries(value).reverse()) : value,
          ]),
      ),
    };
    const first = await api.client.send('POST', '/v2/payment_demands', one);
    const second = await api.client.send('POST', '/v2/payment_demands', other);
    expect([second.status, second.body.data.id]).toEqual([201, first.body.data.id]);
  });
});
