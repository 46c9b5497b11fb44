import type { PaymentActor } from '@florin/contract/payment-actors.ts';
import { describe, expect, it } from 'vitest';
import { historyOf } from './history.ts';
import { storyOf } from './story.ts';

const at = (minute: number) => `2027-01-01T00:${String(minute).padStart(2, '0')}:00.000000Z`;
const record = (type: string, id: string, minute: number, attributes: object) =>
  ({ type, id, attributes: { created_at: at(minute), ...attributes } }) as never;
const paymentOf = (attributes: object = {}) =>
  record('payment_demands', 'p', 0, {
    amount_cents: 2500,
    amount_authorised_cents: 2500,
    capture_method: 'automatic',
    initiator: 'customer',
    cancellation_reason: null,
    canceled_at: null,
    succeeded_at: null,
    ...attributes,
  });
const attempt = (status: string, attributes: object = {}) =>
  record('payment_attempts', `attempt ${status}`, 1, {
    operation: 'authorise',
    amount_cents: 2500,
    status,
    ...attributes,
  });
const actor = (record_id: string, action: string, name: string): PaymentActor => ({
  record_id,
  action,
  name,
  kind: 'member',
  at: at(30),
});

/** Kinds of the story's sentences, with actor and reason. */
const storyTexts = (
  payment: never,
  included: readonly never[],
  actors: readonly PaymentActor[] = [],
) =>
  storyOf(payment, historyOf(included), actors).map((it) =>
    [it.kind, it.actor?.name, it.reason].filter(Boolean).join(' '),
  );

describe('the story of a payment', () => {
  it.each([
    ['paid', 'approved', {}],
    ['charged', 'approved', { initiator: 'merchant' }],
    ['authorised', 'approved', { capture_method: 'manual' }],
    ['authorised', 'reversed', { capture_method: 'manual' }],
    ['undone', 'reversed', { amount_authorised_cents: 0 }],
    ['in_progress', 'unknown', { amount_authorised_cents: 0 }],
    ['not_sent', 'not_sent', { amount_authorised_cents: 0 }],
  ])('says %s of an attempt that is %s, for the payment %j', (kind, status, attributes) => {
    expect(storyTexts(paymentOf(attributes), [attempt(status)])).toEqual(['created', kind]);
  });

  it.each([
    ['authorised', 'processing', 0, 'capture_in_progress'],
    ['authorised', 'failed', 0, 'capture_failed'],
    ['paid', 'succeeded', 2500, 'capture_succeeded'],
  ])('says %s while a capture of its own is %s', (kind, status, amount_captured_cents, capture) => {
    const captured = record('capture_demands', 'c', 2, { status, failure_reason: null });
    const payment = paymentOf({ amount_captured_cents });
    const kinds = storyTexts(payment, [attempt('approved'), captured]);
    expect(kinds).toEqual(['created', kind, capture]);
  });

  it('says why the bank declined', () => {
    const declined = attempt('declined', { failure_reason: 'insufficient_funds' });
    expect(storyTexts(paymentOf(), [declined])).toEqual(['created', 'declined insufficient_funds']);
  });

  it('says that it was paid, to people who may not read attempts', () => {
    expect(storyTexts(paymentOf({ succeeded_at: at(2) }), [])).toEqual(['created', 'paid']);
  });

  it('names who refunded, captured and voided, and why', () => {
    const refund = { status: 'succeeded', reason: 'customer_canceled', failure_reason: null };
    const failed = { status: 'failed', reason: 'custom', failure_reason: 'refund_declined' };
    const included = [
      record('refund_demands', 'r', 3, refund),
      record('refund_demands', 'f', 4, failed),
      record('capture_demands', 'c', 2, { status: 'pending', failure_reason: null }),
    ];
    const actors = [
      actor('p', 'POST /v2/payment_demands', 'Ada'),
      actor('r', 'POST /v2/refund_demands', 'Grace'),
      actor('c', 'POST /v2/capture_demands', 'Jean'),
      actor('p', 'PATCH /v2/payment_demands/:id/void', 'Mary'),
    ];
    expect(storyTexts(paymentOf({ canceled_at: at(9) }), included, actors)).toEqual([
      'created Ada',
      'capture_in_progress Jean',
      'refund_succeeded Grace customer_canceled',
      'refund_failed refund_declined',
      'voided Mary',
    ]);
  });

  it('has one receipt for each hour in which somebody sent it again', () => {
    const sent = (name: string, instant: string) => ({
      ...actor('p', 'POST /dashboard/api/payments/:id/receipt', name),
      at: instant,
    });
    const actors = [
      sent('Ada', '2027-01-01T01:10:00.000000Z'),
      sent('Grace', '2027-01-01T01:50:00.000000Z'),
      sent('Grace', '2027-01-01T02:10:00.000000Z'),
    ];
    expect(storyTexts(paymentOf(), [], actors)).toEqual([
      ...['created', 'receipt Ada', 'receipt Grace'],
    ]);
  });

  it('names no one where a hold expired', () => {
    const expired = paymentOf({ canceled_at: at(9), cancellation_reason: 'hold_expired' });
    const actors = [actor('p', 'PATCH /v2/payment_demands/:id/void', 'Mary')];
    expect(storyTexts(expired, [], actors)).toEqual(['created', 'hold_expired']);
  });

  it('tells a dispute from its opening to its end', () => {
    const dispute = record('disputes', 'd', 5, {
      status: 'lost',
      reason: 'fraudulent',
      submitted_at: at(6),
      closed_at: at(8),
    });
    const actors = [actor('d', 'PATCH /v2/disputes/:id/submit', 'Grace')];
    expect(storyTexts(paymentOf(), [dispute], actors)).toEqual([
      'created',
      'dispute_opened fraudulent',
      'dispute_answered Grace',
      'dispute_lost',
    ]);
  });
});
