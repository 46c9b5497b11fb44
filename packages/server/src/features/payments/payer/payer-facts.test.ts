import { describe, expect, it } from 'vitest';
import type { Row } from '../../../platform/database/row.ts';
import { payerFactsOf, storedCredentialOf } from './payer-facts.ts';

const row: Row = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  line_1: '1 Main Street',
  line_2: null,
  city: 'New York',
  state: ' new york',
  zip: '10001',
  country: 'USA',
};

const byMerchant = { initiator: 'merchant' };
const ofSubscription = { payment_subscription_id: 's1' };

describe('facts about a payer', () => {
  it('have the address as processors write it', () => {
    expect(payerFactsOf(row, {}, {})).toEqual({
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      billing_address: {
        line1: '1 Main Street',
        city: 'New York',
        state: 'NY',
        postal_code: '10001',
        country: 'US',
      },
    });
  });

  it.each([
    ['the province of a country with a table', 'CAN', 'Québec', { state: 'QC', country: 'CA' }],
    ['the region of a country without one', 'DEU', 'Hessen', { state: 'Hessen', country: 'DE' }],
    ['a country without an official code', 'XKX', 'Pristina', { country: 'XK' }],
  ])('name %s', (_, country, state, expected) => {
    expect(payerFactsOf({ ...row, country, state }, {}, {}).billing_address).toMatchObject(
      expected,
    );
  });

  it('name the customer of a stored card only', () => {
    const payer = { payer_id: 'c1' };
    expect(payerFactsOf({}, payer, { customer_id: 'c1' })).toEqual({ customer_id: 'c1' });
    expect(payerFactsOf({}, payer, {})).toEqual({});
  });

  it.each([byMerchant, ofSubscription])(
    'name the payer of %j, also if the card is tied to no customer',
    (demand) => {
      expect(payerFactsOf({}, { ...demand, payer_id: 'c1' }, {})).toEqual({ customer_id: 'c1' });
    },
  );
});

const stored = { customer_id: 'c1' };

it.each<[string, Row, Row, boolean, string | undefined]>([
  ['a card that is used once', {}, {}, false, undefined],
  ['a card that the payer keeps', {}, stored, false, 'first checkout'],
  ['a kept card that paid before', {}, stored, true, 'later checkout'],
  ['the first charge of a subscription', ofSubscription, stored, false, 'first recurring'],
  ['a first charge with a known card', ofSubscription, stored, true, 'first recurring'],
  ['a renewal', { ...ofSubscription, ...byMerchant }, stored, true, 'later recurring'],
  ['another charge by the merchant', byMerchant, stored, true, 'later unscheduled'],
  [
    'a renewal with a card of no customer',
    { ...ofSubscription, ...byMerchant },
    {},
    true,
    'later recurring',
  ],
  ['a charge by the merchant of such a card', byMerchant, {}, true, 'later unscheduled'],
])('%s has its use', (_, demand, method, wasApproved, expected) => {
  const use = storedCredentialOf(demand, method, wasApproved);
  expect(use && `${use.use} ${use.reason}`).toBe(expected);
});
