import { expect, test } from 'vitest';
import { conformanceCases } from '../../port/conformance.ts';
import type { WireSamples } from '../../port/conformance-samples.ts';
import { adyenAdapter } from './index.ts';

const processor = adyenAdapter.connect({
  id: 'account-1',
  mode: 'sandbox',
  settings: { api_url: 'https://checkout-test.adyen.com', merchant_account: 'ExampleShop_ECOM' },
});
const attempt = '0190f3c2-7b4e-7abc-8def-0123456789ab';
const demand = '0190f3c2-7b4e-7abc-8def-ba9876543210';
const payment = {
  pspReference: '993617895204576J',
  resultCode: 'Authorised',
  merchantReference: attempt,
  amount: { currency: 'USD', value: 2499 },
  additionalData: {
    authCode: '044925',
    avsResult: '1 Address matches, but postal code does not match',
    cvcResult: '1 Matches',
    networkTxReference: '777718270854480',
    refusalReasonRaw: 'AUTHORISED',
    authorisedAmountCurrency: 'USD',
    authorisedAmountValue: '2499',
  },
};
const approval = {
  result: 'approved',
  captured: false,
  authorisation_code: '044925',
  network_transaction_id: '777718270854480',
  cvc2_check: 'match',
  address_line1_verification: 'match',
  postal_code_verification: 'mismatch',
  processor_reference: payment.pspReference,
  codes: {
    resultCode: 'Authorised',
    refusalReasonRaw: 'AUTHORISED',
    avsResult: '1 Address matches, but postal code does not match',
    cvcResult: '1 Matches',
  },
} as const;
const unchecked = {
  cvc2_check: 'unprocessed',
  address_line1_verification: 'unverified',
  postal_code_verification: 'unverified',
} as const;
const refused = {
  pspReference: payment.pspReference,
  merchantReference: attempt,
  resultCode: 'Refused',
  refusalReason: 'CVC Declined',
  refusalReasonCode: '24',
};

const errorBody = (status: number, errorCode: string, errorType = 'validation') => ({
  status,
  errorCode,
  errorType,
  message: 'A text that may change',
});

const modificationSamples = {
  receipts: [
    {
      status: 201,
      body: {
        merchantAccount: 'ExampleShop_ECOM',
        paymentPspReference: payment.pspReference,
        pspReference: 'QFQTPCQ8HXSKGK82',
        reference: demand,
        status: 'received',
      },
      meaning: { result: 'pending', processor_reference: 'QFQTPCQ8HXSKGK82' },
    },
    {
      status: 422,
      body: errorBody(422, '167'),
      meaning: { result: 'refused', why: 'Adyen answered 422, error 167.' },
    },
    ...[401, 403].map((status) => ({
      status,
      body: errorBody(status, '000', 'security'),
      meaning: { result: 'not_sent', why: `Adyen answered ${status}.` } as const,
    })),
  ],
  approved: [],
  declined: [],
} as const;

const samples = {
  authorise: {
    approved: [{ status: 200, body: payment, meaning: approval }],
    declined: [
      {
        status: 200,
        body: refused,
        meaning: {
          result: 'declined',
          code: 'incorrect_cvc',
          advice: 'update_card',
          ...unchecked,
          processor_reference: payment.pspReference,
          codes: { resultCode: 'Refused', refusalReasonCode: '24' },
        },
      },
      {
        status: 422,
        body: errorBody(422, '101'),
        meaning: {
          result: 'declined',
          code: 'invalid_card',
          advice: 'update_card',
          ...unchecked,
          codes: { error: 'Adyen answered 422, error 101' },
        },
      },
      ...[400, 401, 403, 404, 413].map((status) => ({
        status,
        body: {},
        meaning: {
          result: 'declined',
          code: 'processor_unreachable',
          advice: 'try_another_processor',
          codes: { error: `Adyen answered ${status}` },
          ...unchecked,
        } as const,
      })),
    ],
  },
  reverse: [
    {
      status: 201,
      body: {
        merchantAccount: 'ExampleShop_ECOM',
        paymentReference: attempt,
        pspReference: 'QFQTPCQ8HXSKGK82',
        reference: attempt,
        status: 'received',
      },
      meaning: { result: 'pending', accepted_as: 'QFQTPCQ8HXSKGK82' },
    },
    {
      status: 422,
      body: errorBody(422, '167'),
      meaning: { result: 'refused', why: 'Adyen answered 422, error 167.' },
    },
    {
      status: 401,
      body: null,
      meaning: { result: 'not_sent', why: 'Adyen answered 401.' },
    },
  ],
  refund: modificationSamples,
  capture: modificationSamples,
  refused_keys: [{ status: 401, body: null, meaning: { key: 'refused' } }],
} as const satisfies WireSamples;

for (const { name, run } of conformanceCases(() => processor, samples))
  test(name, () => expect(run).not.toThrow());
