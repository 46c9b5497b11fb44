import { expect, test } from 'vitest';
import { conformanceCases } from '../../port/conformance.ts';
import type { WireSamples } from '../../port/conformance-samples.ts';
import { cnpAdapter } from './index.ts';
import { queryIdOf } from './reference.ts';

const processor = cnpAdapter.connect({
  id: 'account-1',
  mode: 'sandbox',
  settings: {
    api_url: 'https://payments.vantivprelive.com/vap',
    merchant_id: '01183801',
    currency: 'USD',
  },
});
const attempt = '0190f3c2-7b4e-7abc-8def-0123456789ab';
const demand = '0190f3c2-7b4e-7abc-8def-ba9876543210';

const envelope = (members: object, response = '0', message = 'Valid Format') => ({
  cnpOnlineResponse: {
    '@version': '12.34',
    '@response': response,
    '@message': message,
    '@xmlns': 'http://www.vantivcnp.com/schema',
    ...members,
  },
});
const edge = (response: string) => envelope({}, response, 'Contact support.');
const responseOf = (id: string, response: string, members: object = {}) => ({
  '@id': id,
  '@reportGroup': 'Default Report Group',
  cnpTxnId: '84568456',
  response,
  responseTime: '2026-11-26T10:24:31',
  message: 'A message of Worldpay',
  ...members,
});
const found = (id: string, results: object) =>
  envelope({
    queryTransactionResponse: {
      '@id': queryIdOf(id),
      '@reportGroup': 'Default Report Group',
      response: '150',
      responseTime: '2026-11-26T10:24:31',
      message: 'Original transaction found',
      matchCount: '1',
      results_max10: results,
    },
  });
const queried = (id: string, response: string) =>
  envelope({ queryTransactionResponse: { '@id': queryIdOf(id), response, message: 'None' } });

const approvedPayment = responseOf(attempt, '000', {
  orderId: 'order',
  authCode: '123457',
  fraudResult: { avsResult: '12', cardValidationResult: 'M' },
  networkTransactionId: '638284745624527',
});
const approval = {
  result: 'approved',
  authorisation_code: '123457',
  network_transaction_id: '638284745624527',
  cvc2_check: 'match',
  address_line1_verification: 'match',
  postal_code_verification: 'mismatch',
  processor_reference: 'sale:84568456',
  codes: { response: '000', avs_result: '12', card_validation_result: 'M' },
} as const;
const decline = {
  result: 'declined',
  code: 'insufficient_funds',
  advice: 'try_later',
  cvc2_check: 'unprocessed',
  address_line1_verification: 'unverified',
  postal_code_verification: 'unverified',
  processor_reference: 'auth:84568456',
  codes: { response: '110' },
} as const;
const declinedPayment = responseOf(attempt, '110', { orderId: 'order' });
const edgeText =
  'Worldpay refused the message: the user, the password or the merchant id is wrong.';

const followUps = (name: string, code: 'capture_declined' | 'refund_declined') => ({
  approved: [
    {
      status: 200,
      body: envelope({ [name]: responseOf(demand, '000') }),
      meaning: {
        result: 'approved',
        network_transaction_id: null,
        processor_reference: '84568456',
        codes: { response: '000' },
      },
    } as const,
  ],
  declined: [
    {
      status: 200,
      body: envelope({ [name]: responseOf(demand, '360') }),
      meaning: {
        result: 'declined',
        code,
        processor_reference: '84568456',
        codes: { response: '360' },
      },
    } as const,
  ],
});

const inquiries = (name: string, code: 'capture_declined' | 'refund_declined') => {
  const { approved, declined } = followUps(name, code);
  const inQuery = <S extends { body: { cnpOnlineResponse: object } }>(sample: S) => ({
    ...sample,
    body: found(demand, {
      [name]: (sample.body.cnpOnlineResponse as Record<string, object>)[name],
    }),
  });
  return { approved: approved.map(inQuery), declined: declined.map(inQuery) };
};

const followUpSamples = (name: string, code: 'capture_declined' | 'refund_declined') => {
  const direct = followUps(name, code);
  return {
    receipts: [
      ...direct.approved,
      ...direct.declined,
      {
        status: 200,
        body: envelope({ [name]: responseOf(demand, '001') }),
        meaning: {
          result: 'pending',
          processor_reference: '84568456',
          codes: { response: '001' },
        },
      },
      // An earlier message with the same id was executed: the query finds it.
      {
        status: 200,
        body: envelope({ [name]: responseOf(demand, '251') }),
        meaning: { result: 'unknown', why: 'Worldpay answered with code 251.' },
      },
      { status: 200, body: edge('3'), meaning: { result: 'not_sent', why: edgeText } },
      {
        status: 200,
        body: edge('2'),
        meaning: {
          result: 'refused',
          why: 'Worldpay refused the message: the XML has no login.',
        },
      },
    ],
    ...inquiries(name, code),
    not_found: [
      { status: 200, body: queried(demand, '151'), meaning: { result: 'not_found' } },
      { status: 200, body: queried(demand, '152'), meaning: { result: 'pending' } },
    ],
  } as const;
};

const samples = {
  processor_reference: 'auth:84568456',
  authorise: {
    approved: [
      { status: 200, body: envelope({ saleResponse: approvedPayment }), meaning: approval },
      {
        status: 200,
        body: envelope({
          authorizationResponse: responseOf(attempt, '010', { approvedAmount: '1000' }),
        }),
        meaning: {
          result: 'partly_approved',
          approvedAmount: 1000,
          processor_reference: 'auth:84568456',
          codes: { response: '010' },
        },
      },
    ],
    declined: [
      {
        status: 200,
        body: envelope({ authorizationResponse: declinedPayment }),
        meaning: decline,
      },
      {
        status: 200,
        body: edge('3'),
        meaning: {
          result: 'declined',
          code: 'processor_unreachable',
          advice: 'try_another_processor',
          codes: { header: '3', error: edgeText },
          cvc2_check: 'unprocessed',
          address_line1_verification: 'unverified',
          postal_code_verification: 'unverified',
        },
      },
    ],
  },
  inquire: {
    approved: [
      { status: 200, body: found(attempt, { saleResponse: approvedPayment }), meaning: approval },
      // A declined and an approved payment with one id: the approved one holds money.
      {
        status: 200,
        body: found(attempt, {
          saleResponse: [{ ...approvedPayment, response: '110' }, approvedPayment],
        }),
        meaning: approval,
      },
    ],
    declined: [
      {
        status: 200,
        body: found(attempt, { authorizationResponse: declinedPayment }),
        meaning: decline,
      },
    ],
    not_found: [
      { status: 200, body: queried(attempt, '151'), meaning: { result: 'not_found' } },
      { status: 200, body: queried(attempt, '152'), meaning: { result: 'pending' } },
      {
        status: 200,
        body: found(attempt, { queryTransactionUnavailableResponse: { response: '152' } }),
        meaning: { result: 'pending' },
      },
      {
        status: 200,
        body: queried(attempt, '153'),
        meaning: { result: 'unknown', why: 'Worldpay answered with code 153.' },
      },
    ],
  },
  reverse: [
    ...['000', '251', '306'].map((code) => ({
      status: 200,
      body: envelope({ authReversalResponse: responseOf(attempt, code) }),
      meaning: { result: 'reversed' } as const,
    })),
    {
      status: 200,
      body: envelope({ voidResponse: responseOf(attempt, '001') }),
      meaning: { result: 'pending', accepted_as: '84568456' },
    },
    {
      status: 200,
      body: envelope({ voidResponse: responseOf(attempt, '362') }),
      meaning: { result: 'refused', why: 'Worldpay answered with code 362.' },
    },
    {
      status: 200,
      body: envelope({ authReversalResponse: responseOf(attempt, '370') }),
      meaning: { result: 'unknown', why: 'Worldpay answered with code 370.' },
    },
    { status: 200, body: queried(attempt, '151'), meaning: { result: 'reversed' } },
    {
      status: 200,
      body: found(attempt, { saleResponse: approvedPayment }),
      meaning: { result: 'pending', processor_reference: 'sale:84568456' },
    },
    {
      status: 200,
      body: found(attempt, { saleResponse: declinedPayment }),
      meaning: { result: 'refused', why: 'Worldpay declined the payment.' },
    },
  ],
  refund: followUpSamples('creditResponse', 'refund_declined'),
  capture: followUpSamples('captureResponse', 'capture_declined'),
  refused_keys: [
    { status: 200, body: edge('3'), meaning: { key: 'refused', code: 'response 3' } },
    // The others are no fault of the login, but show no accepted one either.
    ...['1', '2', '4', '5'].map((header) => ({
      status: 200,
      body: edge(header),
      meaning: { key: 'unclear' } as const,
    })),
  ],
} as const satisfies WireSamples;

for (const { name, run } of conformanceCases(() => processor, samples))
  test(name, () => expect(run).not.toThrow());
