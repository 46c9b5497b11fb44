import type { CardField, CardFields } from '@florin/contract/protocol/vault.ts';
import { writeXml } from '@florin/vault/relay/codecs/write-xml.ts';
import { fillBody } from '@florin/vault/relay/fill.ts';
import { describe, expect, it } from 'vitest';
import { hasSchemas, schemaErrors } from '../../../../../simulator/tests/worldpay-cnp/schemas.ts';
import type { WireRequest } from '../../port/message.ts';
import type { AuthoriseInput } from '../../port/processor.ts';
import { cnpRequests } from './map-request.ts';
import { cnpMetadata } from './metadata.ts';

const account = {
  id: 'account-1',
  mode: 'sandbox',
  settings: {
    api_url: 'https://payments.vantivprelive.com/vap',
    merchant_id: '01183801',
    currency: 'USD',
    report_group: 'Online shop',
  },
} as const;
const input: AuthoriseInput = {
  attempt_id: '0190f3c2-7b4e-7abc-8def-0123456789ab',
  payment_id: '0190f3c2-7b4e-7abc-8def-0123456789ac',
  amount: 2499,
  currency: 'USD',
  capture: true,
  network: 'visa',
  idempotency_key: 'key',
};
const authentication = {
  version: '2.2.0',
  status: 'Y',
  eci: '05',
  cryptogram: 'AJkBBkhgQQAAAE4gSEJydQAAAAA=',
  directory_transaction_eid: '8f5d7a3e-1111-4222-8333-444455556666',
};
const network_transaction_id = '638284745624527';
const byMerchant = (reason: 'recurring' | 'unscheduled'): Partial<AuthoriseInput> => ({
  stored_credential: { use: 'later', reason },
  initiated_by_merchant: { network_transaction_id },
});
const everything: Partial<AuthoriseInput> = {
  authentication,
  descriptor: 'Florin’s shop #1',
  stored_credential: { use: 'first', reason: 'checkout' },
  payer: {
    customer_id: 'c'.repeat(50),
    name: 'Ada & <Grace>',
    email: 'ada@example.com',
    ip: '2001:db8::1',
    billing_address: {
      line1: `1 ${'ä'.repeat(60)}`,
      line2: 'b'.repeat(36),
      city: '你'.repeat(40),
      state: 's'.repeat(31),
      postal_code: '9'.repeat(21),
      country: 'US',
    },
  },
};
const values: Partial<Record<CardField, string>> = {
  pan: '4242424242424242',
  cvv: '123',
  expiry_mmyy: '0630',
  cryptogram: 'AAAA',
};

/** The message as the vault writes it. */
function xmlOf(request: WireRequest & { readonly card_fields?: CardFields }): string {
  const cards = Object.entries(request.card_fields ?? {}).map(([pointer, field]) => ({
    pointer,
    name: field,
    value: values[field],
  }));
  const secrets = Object.entries(request.credentials?.body ?? {}).map(([pointer, name]) => ({
    pointer,
    name,
    value: `<${name}>`,
  }));
  return writeXml(fillBody(request.body, [...cards, ...secrets]));
}

type Body = Record<string, Record<string, Record<string, unknown>>>;
const authoriseWith = (change: Partial<AuthoriseInput>) =>
  cnpRequests.authorise(account, { ...input, ...change });
function paymentOf(change: Partial<AuthoriseInput>): Record<string, unknown> {
  const root = (authoriseWith(change).body as Body).cnpOnlineRequest;
  return (root?.sale ?? root?.authorization) as Record<string, unknown>;
}

describe('a payment', () => {
  it('is a sale, or an authorisation if a capture follows', () => {
    const nameOf = (capture: boolean) =>
      Object.keys((authoriseWith({ capture }).body as Body).cnpOnlineRequest as object).at(-1);
    expect([nameOf(true), nameOf(false)]).toEqual(['sale', 'authorization']);
  });

  it.each<[string, Partial<AuthoriseInput>, object]>([
    ['a card used once', {}, { orderSource: 'ecommerce' }],
    ['an order by telephone', { sales_channel: 'telephone' }, { orderSource: 'telephone' }],
    [
      'an authenticated card',
      { authentication },
      {
        orderSource: '3dsAuthenticated',
        cardholderAuthentication: {
          authenticationValue: authentication.cryptogram,
          authenticationTransactionId: authentication.directory_transaction_eid,
          authenticationProtocolVersion: 2,
        },
      },
    ],
    [
      'an attempted authentication',
      { authentication: { ...authentication, status: 'A', version: '1.0.2' } },
      {
        orderSource: '3dsAttempted',
        cardholderAuthentication: { authenticationProtocolVersion: 1 },
      },
    ],
    [
      'a card that is stored',
      { stored_credential: { use: 'first', reason: 'checkout' } },
      { processingType: 'initialCOF' },
    ],
    [
      'a card that is stored for a subscription',
      { stored_credential: { use: 'first', reason: 'recurring' } },
      { processingType: 'initialRecurring' },
    ],
    [
      'a stored card of a payer who is there',
      { stored_credential: { use: 'later', reason: 'checkout' } },
      { processingType: 'cardholderInitiatedCOF' },
    ],
    [
      'a merchant’s charge',
      byMerchant('unscheduled'),
      {
        orderSource: 'ecommerce',
        processingType: 'merchantInitiatedCOF',
        originalNetworkTransactionId: network_transaction_id,
      },
    ],
    [
      'a subscription’s charge',
      byMerchant('recurring'),
      { orderSource: 'recurring', originalNetworkTransactionId: network_transaction_id },
    ],
    [
      'Apple Pay',
      { wallet: { kind: 'apple_pay', cryptogram: true } },
      { orderSource: 'applepay', cardholderAuthentication: { authenticationValue: null } },
    ],
    [
      'Google Pay with a cryptogram',
      { wallet: { kind: 'google_pay', cryptogram: true } },
      { orderSource: 'androidpay' },
    ],
    [
      'Google Pay with a card',
      { wallet: { kind: 'google_pay', cryptogram: false } },
      { orderSource: 'ecommerce', card: { cardValidationNum: null } },
    ],
  ])('by %s says so', (_, change, expected) => {
    expect(paymentOf(change)).toMatchObject(expected);
  });

  it.each(['N', 'R', 'U', null])('with an authentication of status %s sends none', (status) => {
    const payment = paymentOf({ authentication: { ...authentication, status } });
    expect(payment.orderSource).toBe('ecommerce');
    expect(payment).not.toHaveProperty('cardholderAuthentication');
  });

  it('leaves out facts that the schema has no place for', () => {
    const payment = paymentOf({
      descriptor: 'é 1',
      payer: { customer_id: 'c'.repeat(51), billing_address: { country: 'XK' } },
    });
    expect(payment).not.toHaveProperty('customBilling');
    expect(payment).not.toHaveProperty('billToAddress');
    expect(payment).not.toHaveProperty('@customerId');
  });
});

const attempt_id = input.attempt_id;
const followUp = {
  ...input,
  demand_id: '0190f3c2-7b4e-7abc-8def-ba9876543210',
  processor_reference: 'auth:84568456',
};
const reverseBy = (processor_reference?: string) =>
  cnpRequests.reverse(account, {
    attempt_id,
    idempotency_key: 'key',
    ...(processor_reference && { processor_reference }),
  });

it('a refund names the capture of a hold, or the sale', () => {
  const txnOf = (change: object) =>
    (cnpRequests.refund(account, { ...followUp, ...change }).body as Body).cnpOnlineRequest?.credit
      ?.cnpTxnId;
  expect(txnOf({ capture_reference: '99' })).toBe('99');
  expect(txnOf({ processor_reference: 'sale:77' })).toBe('77');
});

it('an id of a report becomes a reference that refunds and captures take', () => {
  const referenceOf = (id: string, is_captured: boolean) =>
    cnpMetadata.payment_ids?.referenceOf(id, { is_captured });
  expect(referenceOf('84568456', true)).toBe('sale:84568456');
  expect(referenceOf('84568456', false)).toBe('auth:84568456');
  expect(referenceOf('auth:84568456', true)).toBe('auth:84568456');
  expect(referenceOf('8836211987654321XYZ', true)).toBeUndefined();
});

it('a hold is reversed, a sale is voided, and an unknown payment is looked for first', () => {
  const nameOf = ({ body }: WireRequest) =>
    Object.keys((body as Body).cnpOnlineRequest as object).at(-1);
  expect(['auth:1', 'sale:1', undefined].map((each) => nameOf(reverseBy(each)))).toEqual([
    'authReversal',
    'void',
    'queryTransaction',
  ]);
});

it.each(['', 'PSP7XK2MVQ', 'auth:', 'sale:1 or 1', `auth:${'9'.repeat(20)}`])(
  'a message with the reference %j is not made',
  (processor_reference) => {
    expect(() => cnpRequests.capture(account, { ...followUp, processor_reference })).toThrow(
      RangeError,
    );
  },
);

describe.skipIf(!hasSchemas)('with the official schemas of ../shared/data', () => {
  const payments = Object.entries({
    'a card': {},
    'a card of an unknown network': { network: 'unknown' },
    'a card with all facts': everything,
    'a merchant’s charge': byMerchant('unscheduled'),
    'a subscription’s charge': byMerchant('recurring'),
    'Apple Pay': { ...everything, wallet: { kind: 'apple_pay', cryptogram: true } },
    'Google Pay': { wallet: { kind: 'google_pay', cryptogram: true } },
  } satisfies Record<string, Partial<AuthoriseInput>>).flatMap(([name, change]) =>
    [true, false].map((capture) => [name, { ...change, capture }] as const),
  );

  it.each(payments)('a payment by %s %j fits', (_, change) => {
    expect(schemaErrors(xmlOf(authoriseWith(change)))).toEqual([]);
  });

  it.each<[string, WireRequest | undefined]>([
    ['capture', cnpRequests.capture(account, followUp)],
    ['refund', cnpRequests.refund(account, { ...followUp, capture_reference: '84568457' })],
    ['reversal', reverseBy('auth:84568456')],
    ['void', reverseBy('sale:84568456')],
    ['query', cnpRequests.inquire?.(account, { attempt_id })],
    ['query about a refund', cnpRequests.inquireRefund?.(account, followUp)],
    ['check', cnpRequests.check(account)],
  ])('a %s fits', (_, request) => {
    expect(schemaErrors(xmlOf(request as WireRequest))).toEqual([]);
  });

  it('a message with its elements in another order does not', () => {
    const xml = xmlOf(authoriseWith({}));
    const moved = xml.replace(/(<orderId>.*<\/orderId>)(<amount>.*<\/amount>)/, '$2$1');
    expect(schemaErrors(moved)).toEqual([expect.stringContaining('amount')]);
  });
});
