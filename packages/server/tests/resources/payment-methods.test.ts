import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { makeAddress, makeCustomer, makeDemand, makeMethod } from '../support/make.ts';
import {
  describeReads,
  describeRefusals,
  describeRefusedMethods,
  describeUnknownRelations,
  errorsOf,
} from '../support/resource-suite.ts';

const api = useApi();
const validAttributes = {
  card_pan_token: 'pan_test_visa',
  card_cvv_token: 'cvv_test',
  expiry_month: 12,
  expiry_year: 2031,
};
const make = (): Promise<ResourceObject> => makeMethod(api.client);
const subject = { type: 'payment_methods', validAttributes, make } as const;

describe('a payment method', () => {
  describeReads(api, 'payment_methods', make, ['address', 'customer', 'payment_demands']);
  describeRefusedMethods(api, 'payment_methods');

  it.each([
    ['visa', 'visa', 'confirmed'],
    ['visa_19', 'visa', 'confirmed'],
    ['mastercard', 'mastercard', 'confirmed'],
    ['discover', 'discover', 'confirmed'],
    ['amex', 'amex', 'confirmed'],
    ['threeds_challenge', 'mastercard', 'confirmed'],
    ['threeds_not_enrolled', 'visa', 'confirmed'],
    ['threeds_rejected', 'amex', 'failed'],
  ])('of the test token %s is of kind %s and %s', async (cardName, kind, external_state) => {
    const { attributes } = await makeMethod(api.client, cardName);
    expect(attributes).toMatchObject({ kind, external_state, discarded_at: null });
    expect(attributes.card_bin).toMatch(/^\d{6}$/);
    expect(attributes.last_four).toMatch(/^\d{4}$/);
  });

  it('stores its attributes, and has vault tokens for the test tokens', async () => {
    const newAttributes = { nickname: 'The blue one', description: 'From work', expiry_year: 2030 };
    const { attributes } = await api.client.make('payment_methods', {
      ...validAttributes,
      ...newAttributes,
    });
    expect(attributes).toMatchObject({ ...newAttributes, expiry_month: 12 });
    expect(attributes.card_pan_token).not.toBe(validAttributes.card_pan_token);
  });

  it('belongs to a customer and an address', async () => {
    const customer = await makeCustomer(api.client);
    const address = await makeAddress(api.client);
    const { relationships } = await makeMethod(api.client, 'visa', { customer, address });
    expect(relationships.customer?.data).toEqual({ type: 'customers', id: customer.id });
    expect(relationships.address?.data).toEqual({ type: 'consumer_addresses', id: address.id });
  });

  it('links to its payments', async () => {
    const method = await make();
    const demand = await makeDemand(api.client, {}, { payment_method: method });
    const path = `/v2/payment_methods/${method.id}/relationships/payment_demands`;
    expect((await api.client.get(path)).body.data).toEqual([demand]);
  });

  describeRefusals(api, subject, [
    ['no token', { card_pan_token: undefined }, 'blank'],
    ['a test token that does not exist', { card_pan_token: 'pan_test_gold' }, 'token_unusable'],
    ['a token that the vault does not know', { card_pan_token: 'tok_unknown' }, 'token_unusable'],
    ['no month of expiry', { expiry_month: undefined }, 'blank'],
    ['month 0', { expiry_month: 0 }, 'too_small'],
    ['month 13', { expiry_month: 13 }, 'too_large'],
    ['a month that is text', { expiry_month: '12' }, 'invalid'],
    ['a year of two digits', { expiry_year: 31 }, 'too_small'],
    ['a nickname of 101 characters', { nickname: 'x'.repeat(101) }, 'too_long'],
    ['last four digits', { last_four: '4242' }, 'read_only'],
    ['a kind', { kind: 'visa' }, 'read_only'],
    ['a state', { external_state: 'confirmed' }, 'read_only'],
  ]);

  it('says what is wrong with a year of two digits', async () => {
    const { body } = await api.client.send('POST', '/v2/payment_methods', {
      data: { type: 'payment_methods', attributes: { ...validAttributes, expiry_year: 31 } },
    });
    expect(body.errors?.[0]?.detail).toBe(
      'expiry_year must be at least 2000: send four digits, such as 2031.',
    );
  });

  it.each([2020, 2099])('with a card that expires in %i is refused', async (expiry_year) => {
    const answer = await api.client.send('POST', '/v2/payment_methods', {
      data: { type: 'payment_methods', attributes: { ...validAttributes, expiry_year } },
    });
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [['invalid', '/data/attributes/expiry_year']],
    ]);
  });

  it('names a test token as the reason in live mode, also without a processor', async () => {
    const answer = await api.live.send('POST', '/v2/payment_methods', {
      data: { type: 'payment_methods', attributes: validAttributes },
    });
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [['token_unusable', '/data/attributes/card_pan_token']],
    ]);
    expect(answer.body.errors?.[0]?.detail).toMatch(
      /^Test card tokens such as pan_test_visa work with sandbox keys only/,
    );
  });

  describeUnknownRelations(api, subject);
});
