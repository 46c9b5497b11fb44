import type { CardField } from '@florin/contract/protocol/vault.ts';
import { describe, expect, it } from 'vitest';
import { hasSchemas, schemaErrors } from '../../../../../simulator/tests/checkout-com/schemas.ts';
import type { AuthoriseInput } from '../../port/processor.ts';
import { checkoutRequests } from './map-request.ts';
import { shortReference } from './reference.ts';

const account = {
  id: 'account-1',
  mode: 'sandbox',
  settings: {
    api_url: 'https://abcd1234.api.sandbox.checkout.com',
    processing_channel_id: 'pc_a7mxzdh5iwsujpv6otpqzvxc2e',
    descriptor_city: 'London',
  },
} as const;
const input: AuthoriseInput = {
  attempt_id: '0190f3c2-7b4e-7abc-8def-0123456789ab',
  payment_id: '0190f3c2-7b4e-7abc-8def-0123456789ac',
  amount: 2499,
  currency: 'EUR',
  capture: true,
  idempotency_key: 'key',
};
const authentication = {
  version: '2.2.0',
  status: 'Y',
  eci: '05',
  cryptogram: 'AJkBBkhgQQAAAE4gSEJydQAAAAA=',
  directory_transaction_eid: '8f5d7a3e-1111-4222-8333-444455556666',
};
const byMerchant = {
  stored_credential: { use: 'later', reason: 'recurring' },
  initiated_by_merchant: { network_transaction_id: '638284745624527' },
} as const;

const bodyOf = (change: Partial<AuthoriseInput> = {}): Record<string, unknown> =>
  checkoutRequests.authorise(account, { ...input, ...change }).body as Record<string, unknown>;

describe('an authorisation', () => {
  it('never captures, and never lets Checkout.com start a challenge', () => {
    expect(bodyOf()).toMatchObject({
      capture: false,
      amount: 2499,
      '3ds': { enabled: false, allow_upgrade: false },
      merchant_initiated: false,
      source: { type: 'card', cvv: null, store_for_future_use: false },
    });
    expect(bodyOf({ authentication })).toMatchObject({
      '3ds': { enabled: true, allow_upgrade: false, xid: authentication.directory_transaction_eid },
    });
  });

  it('has a reference that American Express takes', () => {
    const { reference } = bodyOf();
    expect(reference).toHaveLength(22);
    expect(reference).toBe(shortReference(input.attempt_id));
  });

  it.each(['N', 'R', 'U', null])('with an authentication of status %s sends none', (status) => {
    expect(bodyOf({ authentication: { ...authentication, status } })['3ds']).toEqual({
      enabled: false,
      allow_upgrade: false,
    });
  });

  it('by the merchant has neither verification value nor authentication', () => {
    const { body, card_fields } = checkoutRequests.authorise(account, { ...input, ...byMerchant });
    expect(body).toMatchObject({
      payment_type: 'Recurring',
      merchant_initiated: true,
      previous_payment_id: '638284745624527',
      source: { stored: true },
    });
    expect(body).not.toHaveProperty('3ds');
    expect(Object.values(card_fields)).not.toContain('cvv');
  });

  it.each<[AuthoriseInput['stored_credential'], string, object]>([
    [undefined, 'Regular', { store_for_future_use: false }],
    [{ use: 'first', reason: 'checkout' }, 'Regular', { store_for_future_use: true }],
    [{ use: 'first', reason: 'recurring' }, 'Recurring', { store_for_future_use: true }],
    [{ use: 'later', reason: 'checkout' }, 'Regular', { stored: true }],
  ])('by the payer of a card that is stored as %j is %s', (stored_credential, type, source) => {
    expect(bodyOf(stored_credential && { stored_credential })).toMatchObject({
      payment_type: type,
      merchant_initiated: false,
      source,
    });
  });

  it('by telephone is MOTO, without authentication', () => {
    const body = bodyOf({ sales_channel: 'telephone' });
    expect(body).toMatchObject({ payment_type: 'MOTO', merchant_initiated: false });
    expect(body).not.toHaveProperty('3ds');
  });

  it.each([
    ['203.0.113.7', 'ipv4'],
    ['2001:db8::7', 'ipv6'],
  ])('from %s names the address of the browser as %s', (ip, name) => {
    expect(bodyOf({ payer: { ip } }).risk).toMatchObject({ device: { network: { [name]: ip } } });
  });

  it('by a wallet sends the device number with its cryptogram', () => {
    const wallet = { kind: 'apple_pay', cryptogram: true } as const;
    const { body, card_fields } = checkoutRequests.authorise(account, { ...input, wallet });
    expect(body).toMatchObject({ source: { type: 'network_token', token_type: 'applepay' } });
    expect(Object.values(card_fields).toSorted()).toEqual([
      'cryptogram',
      'eci',
      'expiry_month_number',
      'expiry_year_number',
      'pan',
    ]);
  });

  it.each([
    ['visa', 'vts', 'eci_or_05'],
    ['mastercard', 'mdes', 'eci'],
  ] as const)('by a network token of %s is of type %s', (network, token_type, eci) => {
    const token = { ...input, network, network_token: { cryptogram: true } };
    const { body, card_fields } = checkoutRequests.authorise(account, token);
    expect(body).toMatchObject({ source: { type: 'network_token', token_type, token: null } });
    expect(card_fields).toEqual({
      '/source/token': 'pan',
      '/source/expiry_month': 'expiry_month_number',
      '/source/expiry_year': 'expiry_year_number',
      '/source/cryptogram': 'cryptogram',
      '/source/eci': eci,
    });
  });

  it('by the merchant with a network token has neither cryptogram nor indicator', () => {
    const token = {
      ...input,
      ...byMerchant,
      network: 'visa',
      network_token: { cryptogram: false },
    };
    const { body, card_fields } = checkoutRequests.authorise(account, token as AuthoriseInput);
    expect(body).toMatchObject({
      source: { type: 'network_token', token_type: 'vts', stored: true },
      previous_payment_id: '638284745624527',
    });
    expect(Object.values(card_fields)).not.toContain('cryptogram');
  });

  it('in pesos without decimals has two more digits', () => {
    expect(bodyOf({ currency: 'CLP', amount: 1_000 }).amount).toBe(100_000);
  });
});

it('a payment is found by its reference until its id is known, and only then reversed', () => {
  const attempt = { attempt_id: input.attempt_id };
  const known = { ...attempt, processor_reference: 'pay_1' };
  const list = `/payments?reference=${shortReference(input.attempt_id)}&limit=100`;
  const pathOf = ({ method, url }: { method: string; url: string }) =>
    `${method} ${url.slice(account.settings.api_url.length)}`;
  const requests = [attempt, known].flatMap((each) => [
    checkoutRequests.inquire?.(account, each),
    checkoutRequests.reverse(account, { ...each, idempotency_key: 'key' }),
  ]);
  expect(requests.map((request) => pathOf(request as never))).toEqual([
    `GET ${list}`,
    `GET ${list}`,
    'GET /payments/pay_1',
    'POST /payments/pay_1/reversals',
  ]);
});

it('a capture voids the rest of the hold, unless more captures follow', () => {
  const demand = { ...input, demand_id: input.attempt_id, processor_reference: 'pay_1' };
  const typeOf = (more: object) =>
    (checkoutRequests.capture(account, { ...demand, ...more }).body as { capture_type: string })
      .capture_type;
  expect([typeOf({}), typeOf({ final: false })]).toEqual(['Final', 'NonFinal']);
});

it.each([
  [{}, {}],
  [{ final: false }, {}],
  [{ tells_final: true }, { final: 'true' }],
  [{ tells_final: true, final: false }, { final: 'false' }],
] as const)('a capture of %o tells %o for later inquiries', (more, told) => {
  const demand = { ...input, demand_id: input.attempt_id, processor_reference: 'pay_1', ...more };
  const { body } = checkoutRequests.capture(account, demand);
  expect(body).toMatchObject({ metadata: { demand_id: input.attempt_id, ...told } });
  expect(Object.keys((body as { metadata: object }).metadata)).toHaveLength(
    1 + Object.keys(told).length,
  );
});

describe.skipIf(!hasSchemas)('with the official schemas of ../shared/data', () => {
  /** The message after the vault has filled in the card. */
  function filled(change: Partial<AuthoriseInput>): Record<string, unknown> {
    const { body, card_fields } = checkoutRequests.authorise(account, { ...input, ...change });
    const values: Partial<Record<CardField, string | number>> = {
      pan: '4242424242424242',
      cvv: '123',
      expiry_month_number: 6,
      expiry_year_number: 2030,
      cryptogram: 'AAAA',
      eci: '05',
      eci_or_05: '05',
    };
    const { source, ...rest } = structuredClone(body) as { source: Record<string, unknown> };
    for (const [pointer, field] of Object.entries(card_fields))
      source[pointer.split('/')[2] as string] = values[field];
    return { source, ...rest };
  }

  const everything = {
    authentication,
    descriptor: 'FLORIN SHOP',
    stored_credential: { use: 'first', reason: 'checkout' },
    payer: {
      email: 'ada@example.com',
      name: 'Ada Example',
      ip: '203.0.113.7',
      billing_address: { line1: '1 High Street', city: 'London', postal_code: 'W1', country: 'GB' },
    },
  } as const;

  it.each<[string, Partial<AuthoriseInput>, string]>([
    ['a card', {}, '03_PaymentRequestCardSource'],
    ['a card with all facts', everything, '03_PaymentRequestCardSource'],
    ['a stored card', byMerchant, '03_PaymentRequestCardSource'],
    [
      'a wallet',
      { wallet: { kind: 'google_pay', cryptogram: true } },
      '04_PaymentRequestNetworkTokenSource',
    ],
    [
      'a network token',
      { network: 'visa', network_token: { cryptogram: true }, authentication },
      '04_PaymentRequestNetworkTokenSource',
    ],
  ])('a payment by %s fits', (_, change, sourceSchema) => {
    const body = filled(change);
    expect(schemaErrors('PaymentRequest', body)).toEqual([]);
    expect(schemaErrors(sourceSchema, body.source)).toEqual([]);
  });

  it('a stored network token lacks only what charges by the merchant may leave out', () => {
    const network_token = { cryptogram: false };
    const body = filled({ ...byMerchant, network: 'mastercard', network_token });
    expect(schemaErrors('PaymentRequest', body)).toEqual([]);
    expect(schemaErrors('04_PaymentRequestNetworkTokenSource', body.source)).toEqual([
      " must have required property 'cryptogram'",
      " must have required property 'eci'",
    ]);
  });

  it.each([
    ['capture', 'CaptureRequest', {}],
    ['capture', 'CaptureRequest', { final: false, tells_final: true }],
    ['refund', 'RefundRequest', {}],
  ] as const)('a %s fits %s with %o', (kind, schema, more) => {
    const follow = { demand_id: input.attempt_id, processor_reference: 'pay_1', ...more };
    const demand = { ...input, ...follow };
    expect(schemaErrors(schema, checkoutRequests[kind](account, demand).body)).toEqual([]);
  });
});
