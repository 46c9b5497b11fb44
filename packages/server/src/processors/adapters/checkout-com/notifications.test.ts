import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkoutAdapter } from './index.ts';
import { checkoutNotifications } from './notifications.ts';
import { idOfReference, shortReference } from './reference.ts';

const attempt_id = '0190f3c2-7b4e-7abc-8def-0123456789ab';
const at = '2026-10-01T09:30:00Z';
const { notifications } = checkoutAdapter.connect({
  id: 'account-1',
  mode: 'sandbox',
  settings: { api_url: 'https://abcd1234.api.sandbox.checkout.com' },
});

const read = (text: string) =>
  notifications?.readFacts({ headers: {}, body: new TextEncoder().encode(text) });
const factOf = (type: string, data: object) => {
  const event = { id: 'evt_1', type, created_on: at, data };
  return read(JSON.stringify(event))?.[0];
};

// The vector of the fact sheet: a number with a zero at its end, and a letter outside ASCII.
const signedBody =
  '{"id":"evt_az5sblvku4ge3dwpztvyizgcau","type":"payment_captured","created_on":"2026-10-01T09:30:00Z","data":{"id":"pay_mbabizu24mvu3mela5njyhpit4","action_id":"act_y3oqhf46pyzuxjbcn2giaqnb44","reference":"Zürich-1","amount":1050,"fx":1.10}}';
const signature = '542d49b1d7067213f0e4f73f7aacc726c2bf8dc98b79dd57f8df6ff34ed43699';

describe('a signature', () => {
  it('covers the bytes of the body', () => {
    const body = new TextEncoder().encode(signedBody);
    const [check] =
      checkoutNotifications.signaturesOf({ headers: { 'cko-signature': signature }, body }) ?? [];
    if (check?.check.kind !== 'hmac_sha256') throw new Error('no HMAC');
    const { payload, payload_encoding } = check.check;
    const hmac = createHmac('sha256', 'florin-test-signing-key-1');
    expect(hmac.update(payload, payload_encoding).digest('hex')).toBe(check.check.signature);
    expect(check.secrets).toEqual(['signature_key', 'signature_key_before']);
  });

  it.each([{}, { 'cko-signature': 'short' }, { 'cko-signature': signature.toUpperCase() }])(
    'is missing with the headers %j',
    (headers) => {
      expect(
        checkoutNotifications.signaturesOf({ headers, body: new Uint8Array() }),
      ).toBeUndefined();
    },
  );
});

it('a reference leads back to our id, and other texts stay', () => {
  expect(idOfReference(shortReference(attempt_id))).toBe(attempt_id);
  expect(idOfReference('order-7')).toBe('order-7');
});

describe('an event', () => {
  const payment = { id: 'pay_1', action_id: 'act_1', reference: shortReference(attempt_id) };
  const refund = {
    kind: 'refund',
    demand_id: attempt_id,
    processor_reference: 'act_1',
    authorisation_reference: 'pay_1',
  };

  it.each<[string, object, object]>([
    [
      'payment_approved',
      payment,
      { kind: 'authorisation', attempt_id, result: { result: 'approved', captured: false } },
    ],
    [
      'payment_declined',
      { ...payment, response_code: '20051' },
      { kind: 'authorisation', result: { result: 'declined', code: 'insufficient_funds' } },
    ],
    ['payment_captured', payment, { kind: 'capture', result: { result: 'approved' } }],
    ['payment_refunded', payment, { ...refund, result: { result: 'approved' } }],
    [
      'payment_refund_declined',
      payment,
      { ...refund, result: { result: 'declined', code: 'refund_declined' } },
    ],
    [
      'payment_voided',
      payment,
      { kind: 'reversal', attempt_id, processor_reference: 'pay_1', reversed: true },
    ],
    ['payment_void_declined', payment, { kind: 'reversal', reversed: false }],
  ])('%s is read', (type, data, fact) => {
    expect(factOf(type, data)).toMatchObject({ key: `${type} act_1`, at, ...fact });
  });

  it.each([
    ['dispute_received', { status: 'open' }],
    ['dispute_canceled', { status: 'won' }],
    ['dispute_expired', { status: 'lost' }],
    ['dispute_arbitration_won', { status: 'won', is_second_round: true }],
    ['dispute_arbitration_lost', { status: 'lost', is_second_round: true }],
  ])('%s is a dispute with the decision %j', (type, decision) => {
    const data = {
      id: 'dsp_1',
      payment_id: 'pay_1',
      amount: 100_000,
      currency: 'CLP',
      category: 'product_service_not_received',
    };
    expect(factOf(type, data)).toMatchObject({
      kind: 'dispute',
      processor_reference: 'pay_1',
      dispute: {
        reference: 'dsp_1',
        reason: 'product_not_received',
        ...decision,
        amount: 1_000,
        currency: 'CLP',
      },
    });
  });

  it.each([
    ['no JSON', '{"type":'],
    ['no object', '[]'],
    ['an unknown type', '{"type":"payment_paid_in_shells","data":{"id":"pay_1"}}'],
    ['hostile members', '{"type":["payment_approved"],"data":7}'],
    ['no reference', '{"type":"payment_approved","data":{"id":"pay_1"}}'],
    [
      'a negative dispute',
      '{"type":"dispute_received","data":{"id":"d","payment_id":"p","amount":-1,"currency":"EUR"}}',
    ],
  ])('with %s is ignored', (_, text) => {
    expect(read(text)).toEqual([expect.objectContaining({ kind: 'ignored' })]);
  });
});
