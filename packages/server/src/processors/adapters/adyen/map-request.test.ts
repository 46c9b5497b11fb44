import type { CardField } from '@florin/contract/protocol/vault.ts';
import { describe, expect, it } from 'vitest';
import {
  adyenSchemaErrors,
  hasAdyenSchemas,
} from '../../../../../simulator/tests/adyen/schemas.ts';
import type { AuthoriseInput } from '../../port/processor.ts';
import { adyenAddressOf } from './billing-address.ts';
import { adyenRequests } from './map-request.ts';

const account = {
  id: 'account-1',
  mode: 'live',
  settings: {
    api_url: 'https://1797a841fbb37ca7-ExampleShop-checkout-live.adyenpayments.com/checkout',
    merchant_account: 'ExampleShop_ECOM',
    return_url: 'https://shop.example.com/return',
  },
} as const;
const input: AuthoriseInput = {
  attempt_id: '0190f3c2-7b4e-7abc-8def-0123456789ab',
  payment_id: '0190f3c2-7b4e-7abc-8def-0123456789ac',
  amount: 2499,
  currency: 'EUR',
  capture: true,
  network: 'mastercard',
  idempotency_key: 'key',
};
const authentication = {
  version: '2.2.0',
  status: 'Y',
  eci: '05',
  cryptogram: 'AJkBBkhgQQAAAE4gSEJydQAAAAA=',
  directory_transaction_eid: '8f5d7a3e-1111-4222-8333-444455556666',
};
const customer = { customer_id: '0190f3c2-7b4e-7abc-8def-0123456789ad' };
const byMerchant = {
  payer: customer,
  stored_credential: { use: 'later', reason: 'recurring' },
  initiated_by_merchant: { network_transaction_id: '638284745624527' },
} as const;
const wallet = { kind: 'apple_pay', cryptogram: true } as const;

const bodyOf = (change: Partial<AuthoriseInput> = {}): Record<string, unknown> =>
  adyenRequests.authorise(account, { ...input, ...change }).body as Record<string, unknown>;

describe('an authorisation', () => {
  it('goes to the account’s own address with key and version', () => {
    const { url, headers, credentials, answer_headers } = adyenRequests.authorise(account, input);
    expect(url).toBe(`${account.settings.api_url}/v72/payments`);
    expect(headers['idempotency-key']).toBe('key');
    expect(credentials?.headers).toEqual({ 'x-api-key': { secret: 'api_key' } });
    expect(answer_headers).toEqual(['transient-error']);
  });

  it('never captures, never stores the card, and never lets Adyen authenticate', () => {
    const body = bodyOf();
    expect(body).toMatchObject({
      merchantAccount: 'ExampleShop_ECOM',
      amount: { value: 2499, currency: 'EUR' },
      reference: input.attempt_id,
      merchantOrderReference: input.payment_id,
      returnUrl: 'https://shop.example.com/return',
      paymentMethod: { type: 'scheme', cvc: null, holderName: 'Not Provided' },
      shopperInteraction: 'Ecommerce',
      authenticationData: { attemptAuthentication: 'never' },
      additionalData: { manualCapture: 'true' },
    });
    expect(body).not.toHaveProperty('storePaymentMethod');
    expect(body).not.toHaveProperty('mpiData');
  });

  it('with an authentication of our own sends its proof and asks for nothing', () => {
    const body = bodyOf({ authentication });
    expect(body).not.toHaveProperty('authenticationData');
    expect(body.mpiData).toEqual({
      directoryResponse: 'Y',
      authenticationResponse: 'Y',
      cavv: authentication.cryptogram,
      eci: '05',
      dsTransID: authentication.directory_transaction_eid,
      threeDSVersion: '2.2.0',
    });
  });

  it.each(['N', 'R', 'U', 'C', null])(
    'with an authentication of status %s sends none',
    (status) => {
      expect(bodyOf({ authentication: { ...authentication, status } })).not.toHaveProperty(
        'mpiData',
      );
    },
  );

  it('by a wallet sends the device number as a card, with its cryptogram', () => {
    const { body, card_fields } = adyenRequests.authorise(account, { ...input, wallet });
    expect(body).toMatchObject({
      paymentMethod: { type: 'scheme', number: null },
      mpiData: { cavv: null, eci: null, directoryResponse: 'Y', authenticationResponse: 'Y' },
      additionalData: {
        'paymentdatasource.type': 'applepay',
        'paymentdatasource.tokenized': 'true',
      },
    });
    expect(body).not.toHaveProperty('authenticationData');
    expect(Object.values(card_fields).toSorted()).toEqual([
      'cryptogram',
      'eci',
      'expiry_month',
      'expiry_year',
      'pan',
    ]);
  });

  it('by a wallet without cryptogram is an authenticated card from that wallet', () => {
    const body = bodyOf({ authentication, wallet: { kind: 'google_pay', cryptogram: false } });
    expect(body).toMatchObject({
      paymentMethod: { cvc: null },
      mpiData: { cavv: authentication.cryptogram },
      additionalData: {
        'paymentdatasource.type': 'googlepay',
        'paymentdatasource.tokenized': 'false',
      },
    });
  });

  it('by a network token sends the cryptogram of the token, also beside our own proof', () => {
    const network_token = { cryptogram: true };
    const { body, card_fields } = adyenRequests.authorise(account, { ...input, network_token });
    expect(body).toMatchObject({
      paymentMethod: { type: 'networkToken', number: null },
      mpiData: {
        tokenAuthenticationVerificationValue: null,
        eci: null,
        directoryResponse: 'Y',
        authenticationResponse: 'Y',
      },
    });
    expect(body).not.toHaveProperty('authenticationData');
    expect(card_fields).toMatchObject({
      '/mpiData/tokenAuthenticationVerificationValue': 'cryptogram',
      '/mpiData/eci': 'eci_or_07',
    });
    const proven = adyenRequests.authorise(account, { ...input, network_token, authentication });
    expect(proven.body).toMatchObject({
      mpiData: {
        tokenAuthenticationVerificationValue: null,
        cavv: authentication.cryptogram,
        eci: '05',
      },
    });
    expect(proven.card_fields).not.toHaveProperty('/mpiData/eci');
  });

  it('by the merchant with a network token has no proof, and names the first approval', () => {
    const charge = { ...byMerchant, network_token: { cryptogram: false } };
    expect(bodyOf(charge)).toMatchObject({
      paymentMethod: {
        type: 'networkToken',
        brand: 'mc',
        networkPaymentReference: '638284745624527',
      },
    });
    expect(bodyOf(charge)).not.toHaveProperty('mpiData');
  });

  it('by the merchant names the first approval twice, and has no proof of the payer', () => {
    const { body, card_fields } = adyenRequests.authorise(account, { ...input, ...byMerchant });
    expect(body).toMatchObject({
      shopperInteraction: 'ContAuth',
      recurringProcessingModel: 'Subscription',
      shopperReference: customer.customer_id,
      paymentMethod: { brand: 'mc', networkPaymentReference: '638284745624527' },
      additionalData: { networkTxReference: '638284745624527' },
    });
    for (const member of ['mpiData', 'authenticationData']) expect(body).not.toHaveProperty(member);
    expect(Object.values(card_fields)).not.toContain('cvv');
  });

  it('by telephone is Moto, with a stored card too', () => {
    const stored_credential = { use: 'later', reason: 'checkout' } as const;
    const bodies = [{}, { stored_credential }].map((input) =>
      bodyOf({ ...input, sales_channel: 'telephone' }),
    );
    expect(bodies.map(({ shopperInteraction }) => shopperInteraction)).toEqual(['Moto', 'Moto']);
    expect(bodies[0]).not.toHaveProperty('authenticationData');
  });

  it.each<[AuthoriseInput['stored_credential'], string, string | undefined]>([
    [undefined, 'Ecommerce', undefined],
    [{ use: 'first', reason: 'checkout' }, 'Ecommerce', 'CardOnFile'],
    [{ use: 'first', reason: 'recurring' }, 'Ecommerce', 'Subscription'],
    [{ use: 'first', reason: 'unscheduled' }, 'Ecommerce', 'UnscheduledCardOnFile'],
    [{ use: 'later', reason: 'checkout' }, 'ContAuth', 'CardOnFile'],
  ])('of a card that is stored as %j is %s for %s', (stored_credential, interaction, model) => {
    const body = bodyOf(stored_credential && { stored_credential });
    expect([body.shopperInteraction, body.recurringProcessingModel]).toEqual([interaction, model]);
  });

  it.each([
    ['CLP', 1_000, 100_000],
    ['ISK', 1_000, 100_000],
    ['IDR', 1_500_000, 15_000],
    ['CVE', 12_300, 123],
    ['JPY', 1_000, 1_000],
    ['KWD', 1_234, 1_234],
  ])('in %s of %i has %i of Adyen’s units', (currency, amount, value) => {
    expect(bodyOf({ currency, amount }).amount).toEqual({ value, currency });
  });

  it('has a statement text of at most 22 characters that Adyen takes', () => {
    expect(bodyOf({ descriptor: 'CAFÉ <FLORIN> & SONS, AMSTERDAM' }).shopperStatement).toBe(
      'CAF FLORIN  SONS, AMST',
    );
    expect(bodyOf({ descriptor: '你好' })).not.toHaveProperty('shopperStatement');
  });
});

const address = {
  line1: '1 High Street',
  line2: 'Flat 2',
  city: 'Springfield',
  postal_code: '12345-6789',
  state: 'IL',
  country: 'US',
};

it.each([
  ['of the United States', address, { postalCode: '12345', stateOrProvince: 'IL', country: 'US' }],
  ['without a house', { ...address, line2: '' }, { houseNumberOrName: 'NA' }],
  [
    'without country and state',
    { line1: 'Street', city: 'City', postal_code: '1' },
    { country: 'ZZ' },
  ],
  ['with the name of a state', { ...address, country: 'GB', state: 'Essex' }, { country: 'GB' }],
  ['without a street', { ...address, line1: '' }, undefined],
  ['without a postal code', { line1: 'Street', city: 'City' }, undefined],
  ['with a long postal code', { ...address, country: 'GB', postal_code: '12345678901' }, undefined],
  ['of Canada without a state', { ...address, country: 'CA', state: 'Ontario' }, undefined],
])('an address %s is sent if Adyen takes it', (_, billing_address, expected) => {
  const sent = adyenAddressOf(billing_address);
  if (expected) expect(sent).toMatchObject(expected);
  else expect(sent).toBeUndefined();
});

it('a payment is cancelled by our reference until Adyen’s is known, and then reversed', () => {
  const attempt = { attempt_id: input.attempt_id, idempotency_key: 'key' };
  const known = { ...attempt, processor_reference: '993617895204576J' };
  const requests = [attempt, known].map((each) => adyenRequests.reverse(account, each));
  expect(requests.map(({ url }) => url.slice(account.settings.api_url.length))).toEqual([
    '/v72/cancels',
    '/v72/payments/993617895204576J/reversals',
  ]);
  expect(requests[0]?.body).toMatchObject({ paymentReference: input.attempt_id });
});

describe.skipIf(!hasAdyenSchemas)('with the official schemas of ../shared/data', () => {
  const cardValues: Partial<Record<CardField, string>> = {
    pan: '4111111111111111',
    cvv: '737',
    expiry_month: '03',
    expiry_year: '2030',
    cryptogram: 'AJkBBkhgQQAAAE4gSEJydQAAAAA=',
    eci: '05',
    eci_or_07: '07',
  };

  /** The message after the vault has filled in the card. */
  function filled(change: Partial<AuthoriseInput>): Record<string, Record<string, unknown>> {
    const { body, card_fields } = adyenRequests.authorise(account, { ...input, ...change });
    const copy = structuredClone(body) as Record<string, Record<string, unknown>>;
    for (const [pointer, field] of Object.entries(card_fields)) {
      const [, outer = '', inner = ''] = pointer.split('/');
      copy[outer] = { ...copy[outer], [inner]: cardValues[field] };
    }
    return copy;
  }

  const everything = {
    authentication,
    descriptor: 'FLORIN SHOP',
    stored_credential: { use: 'first', reason: 'checkout' },
    payer: {
      ...customer,
      email: 'ada@example.com',
      name: 'Ada Example',
      ip: '203.0.113.7',
      billing_address: address,
    },
  } as const;

  it.each<[string, Partial<AuthoriseInput>]>([
    ['a card', {}],
    ['a card with all facts', everything],
    ['a stored card', byMerchant],
    ['a wallet', { wallet }],
    ['a network token', { network_token: { cryptogram: true } }],
    ['an authenticated network token', { network_token: { cryptogram: true }, authentication }],
    ['a stored network token', { ...byMerchant, network_token: { cryptogram: false } }],
    ['a wallet without cryptogram', { wallet: { kind: 'google_pay', cryptogram: false } }],
  ])('a payment by %s fits', (_, change) => {
    const body = filled(change);
    expect(adyenSchemaErrors('checkout', 'PaymentRequest', body)).toEqual([]);
    expect(adyenSchemaErrors('checkout', 'CardDetails', body.paymentMethod)).toEqual([]);
  });

  const attempt = { attempt_id: input.attempt_id, idempotency_key: 'key' };
  const demand = { ...input, demand_id: input.attempt_id, processor_reference: '993617895204576J' };

  it.each([
    ['PaymentCaptureRequest', adyenRequests.capture(account, demand)],
    ['PaymentRefundRequest', adyenRequests.refund(account, demand)],
    ['StandalonePaymentCancelRequest', adyenRequests.reverse(account, attempt)],
    ['PaymentReversalRequest', adyenRequests.reverse(account, demand)],
    ['PaymentMethodsRequest', adyenRequests.check(account)],
  ])('a message fits %s', (schema, { body }) => {
    expect(adyenSchemaErrors('checkout', schema, body)).toEqual([]);
  });

  it('a message with an unknown member does not fit', () => {
    const body = { ...filled({}), capture: false };
    expect(adyenSchemaErrors('checkout', 'PaymentRequest', body)).not.toEqual([]);
  });
});
