import { describe, expect, it } from 'vitest';
import type { Row } from '../../store/row.ts';
import { type Attachment, decideAttach } from './attach.ts';

const now = 1_795_232_640_000_000;
const demand: Row = {
  status: 'incomplete',
  amount_cents: '2500',
  amount_currency: 'USD',
  purchase_reference: 'order-1',
  purchase_kind: 'order',
  payer_id: 'a payer',
  billing_address_id: 'an address',
};

const attachment: Attachment = {
  method_id: 'a card',
  // The bank could not be asked: there are no transaction ids.
  results: { threeds_version: '2.2.0', threeds_status: 'not_enrolled', eci: '07' },
  amount_cents: '2500',
  amount_currency: 'USD',
  timezone: 'Europe/Vienna',
  threeds: 'when_available',
};

describe('decideAttach', () => {
  it('puts the card, its results and the zone on the payment, which is then complete', () => {
    expect(decideAttach(demand, attachment, now)).toMatchObject({
      trigger: 'complete',
      set: { payment_method_id: 'a card', payer_timezone: 'Europe/Vienna', eci: '07' },
    });
  });

  it.each<[string, Row, string]>([
    ['was confirmed', { status: 'pending' }, 'payment_closed'],
    ['has succeeded', { status: 'succeeded' }, 'payment_closed'],
    ['has another amount', { amount_cents: '2501' }, 'payment_changed'],
    ['has another currency', { amount_currency: 'JPY' }, 'payment_changed'],
  ])('refuses a payment that %s since the bank was asked', (_, change, code) => {
    expect(() => decideAttach({ ...demand, ...change }, attachment, now)).toThrow(
      expect.objectContaining({ name: 'AttachRefused', code }),
    );
  });

  it.each([
    ['required', undefined],
    ['when_available', 'complete'],
    ['off', 'complete'],
  ] as const)('with 3-D Secure %s and no results of it: %s', (threeds, trigger) => {
    expect(decideAttach(demand, { ...attachment, threeds }, now).trigger).toBe(trigger);
  });
});
