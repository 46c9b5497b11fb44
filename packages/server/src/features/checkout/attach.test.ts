import { describe, expect, it } from 'vitest';
import type { Row } from '../../platform/database/row.ts';
import { instantText } from '../../platform/time/clock.ts';
import { type Attachment, decideAttach, decideAttachToSubscription } from './attach.ts';

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
  // The issuer was unreachable, so the results have no transaction ids.
  results: { threeds_version: '2.2.0', threeds_status: 'not_enrolled', eci: '07' },
  amount_cents: '2500',
  amount_currency: 'USD',
  timezone: 'Europe/Vienna',
  threeds: 'when_available',
};

describe('decideAttach', () => {
  it('puts the card, its results and the time zone on the payment, which is then complete', () => {
    expect(decideAttach(demand, attachment, now)).toMatchObject({
      trigger: 'complete',
      set: { payment_method_id: 'a card', payer_timezone: 'Europe/Vienna', eci: '07' },
    });
  });

  it.each([
    [undefined, null],
    ['Europe/Rome', 'Europe/Rome'],
  ])('of a card that a member typed leaves the time zone %s as it is', (payer_timezone, kept) => {
    const row: Row = { ...demand, ...(payer_timezone && { payer_timezone }) };
    const { set } = decideAttach(row, { ...attachment, timezone: null }, now);
    expect(set.payer_timezone).toBe(kept);
  });

  it.each<[string, Row, string]>([
    ['was confirmed', { status: 'pending' }, 'payment_closed'],
    ['has succeeded', { status: 'succeeded' }, 'payment_closed'],
    ['has another amount', { amount_cents: '2501' }, 'payment_changed'],
    ['has another currency', { amount_currency: 'JPY' }, 'payment_changed'],
  ])('refuses a payment that %s since the inquiry at the bank', (_, change, code) => {
    expect(() => decideAttach({ ...demand, ...change }, attachment, now)).toThrow(
      expect.objectContaining({ name: 'AttachRefusal', code }),
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

describe('decideAttachToSubscription', () => {
  const activeSubscription: Row = {
    ...demand,
    status: 'active',
    confirmed: 't',
    payer_timezone: 'Europe/Rome',
    customer_links_epoch: '2',
  };
  const attach = (row: Row, customer_links_epoch?: number) =>
    decideAttachToSubscription(row, { ...attachment, customer_links_epoch }, now);

  it("attaches the card to an intent without an event, with the cardholder's time zone", () => {
    expect(attach({ ...demand, status: 'pending', confirmed: 'f' })).toMatchObject({
      set: { payment_method_id: 'a card', payer_timezone: 'Europe/Vienna' },
      events: [],
    });
  });

  it.each<[string, Row, number | undefined]>([
    ['its last charge failed', { failure_reason: 'expired_card' }, undefined],
    ['its customer changes it', {}, 2],
    ['its customer changes it while it is paused', { status: 'paused' }, 2],
  ])('reports another card if %s, and keeps the time zone', (_, change, epoch) => {
    const { set, events } = attach({ ...activeSubscription, ...change }, epoch);
    expect([set.payment_method_id, events]).toEqual(['a card', ['updated']]);
    expect(set).not.toHaveProperty('payer_timezone');
  });

  it('makes a failed charge due immediately, unless a shop attached the card', () => {
    const failingSubscription = {
      ...activeSubscription,
      failure_reason: 'expired_card',
      past_due_since: 'yesterday',
      all_tries_count: '1',
    };
    expect(attach(failingSubscription, 2).set.next_try_at).toBe(instantText(now));
    expect(attach(failingSubscription).set).not.toHaveProperty('next_try_at');
    expect(attach(activeSubscription, 2).set).not.toHaveProperty('next_try_at');
  });

  it.each<[string, Row, number | undefined]>([
    ['comes from a shop', {}, undefined],
    ['comes by a link that was revoked meanwhile', {}, 1],
    ['is for one that has ended', { status: 'cancelled' }, 2],
  ])('refuses a card that %s', (_, change, epoch) => {
    expect(() => attach({ ...activeSubscription, ...change }, epoch)).toThrow(
      expect.objectContaining({ name: 'AttachRefusal', code: 'payment_closed' }),
    );
  });
});
