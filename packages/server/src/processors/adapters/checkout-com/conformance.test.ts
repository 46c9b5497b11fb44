import { expect, test } from 'vitest';
import { conformanceCases } from '../../port/conformance.ts';
import type { WireSamples } from '../../port/conformance-samples.ts';
import { checkoutAdapter } from './index.ts';
import { shortReference } from './reference.ts';

const processor = checkoutAdapter.connect({
  id: 'account-1',
  mode: 'sandbox',
  settings: {
    api_url: 'https://abcd1234.api.sandbox.checkout.com',
    processing_channel_id: 'pc_a7mxzdh5iwsujpv6otpqzvxc2e',
  },
});
const attempt = '0190f3c2-7b4e-7abc-8def-0123456789ab';
const demand = '0190f3c2-7b4e-7abc-8def-ba9876543210';
const payment = {
  id: 'pay_mbabizu24mvu3mela5njyhpit4',
  reference: shortReference(attempt),
  amount: 2499,
  currency: 'USD',
  approved: true,
  status: 'Authorized',
  auth_code: '643381',
  response_code: '10000',
  scheme_id: '638284745624527',
  source: { avs_check: 'A', cvv_check: 'Y' },
};
const approval = {
  result: 'approved',
  captured: false,
  authorisation_code: '643381',
  network_transaction_id: '638284745624527',
  cvc2_check: 'match',
  address_line1_verification: 'match',
  postal_code_verification: 'mismatch',
  processor_reference: payment.id,
  codes: { response_code: '10000', avs_check: 'A', cvv_check: 'Y' },
  money: { amount: 2499, currency: 'USD' },
} as const;
const unchecked = {
  cvc2_check: 'unprocessed',
  address_line1_verification: 'unverified',
  postal_code_verification: 'unverified',
} as const;
const declined = { ...payment, approved: false, status: 'Declined', source: {} };
const decline = {
  result: 'declined',
  code: 'incorrect_cvc',
  advice: 'update_card',
  ...unchecked,
  processor_reference: payment.id,
  codes: { response_code: '200N7' },
} as const;
const { response_code: _code, auth_code: _auth, ...found } = payment;
const authorisation = { type: 'Authorization', auth_code: '643381', response_code: '10000' };

const actionSamples = (
  type: 'Capture' | 'Refund',
  code: 'capture_declined' | 'refund_declined',
) => {
  const action = {
    id: 'act_y3oqhf46pyzuxjbcn2giaqnb44',
    type,
    reference: shortReference(demand),
    response_code: '10000',
  };
  const facts = { processor_reference: action.id, codes: { response_code: '10000' } };
  const actions = (...all: object[]) => [...all, { ...authorisation, id: 'act_first' }];
  return {
    receipts: [
      {
        status: 202,
        body: { action_id: action.id, reference: shortReference(demand) },
        meaning: { result: 'pending', processor_reference: action.id },
      },
      ...[400, 403, 404, 422].map((status) => ({
        status,
        body: { error_codes: ['payment_expired'] },
        meaning: {
          result: 'refused',
          why: `Checkout.com answered ${status}, payment_expired.`,
        } as const,
      })),
      {
        status: 401,
        body: null,
        meaning: { result: 'not_sent', why: 'Checkout.com answered 401.' },
      },
    ],
    approved: [
      {
        status: 200,
        body: actions({ ...action, approved: true }),
        meaning: { result: 'approved', network_transaction_id: null, ...facts },
      },
    ],
    declined: [
      {
        status: 200,
        body: actions({ ...action, approved: false }),
        meaning: { result: 'declined', code, ...facts },
      },
    ],
    not_found: [
      { status: 200, body: actions(), meaning: { result: 'not_found' } },
      { status: 200, body: actions(action), meaning: { result: 'pending', ...facts } },
    ],
  } as const;
};

const samples = {
  authorise: {
    approved: [{ status: 201, body: payment, meaning: approval }],
    declined: [
      { status: 201, body: { ...declined, response_code: '200N7' }, meaning: decline },
      {
        status: 422,
        body: { error_type: 'processing_error', error_codes: ['card_expired'] },
        meaning: {
          result: 'declined',
          code: 'expired_card',
          advice: 'update_card',
          codes: { error: 'Checkout.com answered 422, card_expired' },
          ...unchecked,
        },
      },
      ...[400, 401, 403, 404].map((status) => ({
        status,
        body: {},
        meaning: {
          result: 'declined',
          code: 'processor_unreachable',
          advice: 'try_another_processor',
          codes: { error: `Checkout.com answered ${status}` },
          ...unchecked,
        } as const,
      })),
    ],
  },
  inquire: {
    approved: ['Authorized', 'Captured', 'Partially Refunded'].map((status) => ({
      status: 200,
      body: { ...found, status, actions: [authorisation] },
      meaning: { ...approval, codes: { response_code: '10000', avs_check: 'A', cvv_check: 'Y' } },
    })),
    declined: [
      {
        status: 200,
        body: {
          ...found,
          approved: false,
          status: 'Declined',
          source: {},
          actions: [{ type: 'Authorization', response_code: '200N7' }],
        },
        meaning: decline,
      },
    ],
    not_found: [
      { status: 200, body: { total_count: 0, data: [] }, meaning: { result: 'not_found' } },
      {
        status: 200,
        body: { data: [{ ...payment, reference: 'another' }, payment] },
        meaning: { result: 'pending', processor_reference: payment.id, codes: approval.codes },
      },
    ],
  },
  reverse: [
    {
      status: 202,
      body: { action_id: 'act_1', reference: payment.reference },
      meaning: { result: 'pending', accepted_as: 'act_1' },
    },
    { status: 204, body: null, meaning: { result: 'reversed' } },
    { status: 200, body: { data: [] }, meaning: { result: 'reversed' } },
    {
      status: 200,
      body: { data: [payment] },
      meaning: { result: 'pending', processor_reference: payment.id, codes: approval.codes },
    },
    {
      status: 403,
      body: null,
      meaning: { result: 'refused', why: 'Checkout.com answered 403.' },
    },
  ],
  refund: actionSamples('Refund', 'refund_declined'),
  capture: actionSamples('Capture', 'capture_declined'),
  refused_keys: [{ status: 401, body: null, meaning: { key: 'refused' } }],
} as const satisfies WireSamples;

for (const { name, run } of conformanceCases(() => processor, samples))
  test(name, () => expect(run).not.toThrow());
