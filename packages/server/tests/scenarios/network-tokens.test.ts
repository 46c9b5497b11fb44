import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { documentOf } from '../support/client.ts';
import { makeDemand, testCard } from '../support/make.ts';
import {
  createCryptogram,
  encryptNetworkToken,
  itTakesNetworkTokens,
  makeTokenParties,
  payWith,
  tokenNumbers,
} from '../support/network-token.ts';
import { errorsOf } from '../support/resource-suite.ts';

const api = useApi();
const attributeOf = (name: string) => `/data/attributes/${name}`;

const UNKNOWN_ID = '01935f00-0000-7000-8000-000000000000';

const create = async (attributes: object) =>
  api.client.send('POST', '/v2/payment_methods', documentOf('payment_methods', attributes));

describe('the simulated network', () => {
  itTakesNetworkTokens(api);

  it('declines a cryptogram that an approval has used', async () => {
    const cryptogram = createCryptogram();
    const outcomes = [];
    for (let count = 0; count < 2; count++)
      outcomes.push(await payWith(api.client, await makeTokenParties(api.client, { cryptogram })));
    expect(outcomes.map(({ attributes }) => attributes.failure_reason)).toEqual([
      null,
      'generic_decline',
    ]);
  });
});

it('the number of a declined test card is declined as a network token', async () => {
  const parties = await makeTokenParties(api.client, { number: '4444333322221111' });
  const { attributes } = await payWith(api.client, parties);
  expect(attributes.failure_reason).toBe('insufficient_funds');
});

describe('a payment method', () => {
  it('of a network token shows the token’s digits, and is marked', async () => {
    const network_token_jwe = await encryptNetworkToken(api.client);
    const { attributes } = await api.client.make('payment_methods', { network_token_jwe });
    expect(attributes).toMatchObject({
      network_token: true,
      kind: 'visa',
      card_bin: tokenNumbers.visa.slice(0, 6),
      last_four: '0003',
      expiry_month: 12,
      expiry_year: 2031,
      external_state: 'confirmed',
      wallet: null,
    });
    expect(attributes).not.toHaveProperty('network_token_jwe');
  });

  it.each(['visa', 'mastercard'])('of the test token of %s pays once', async (network) => {
    const method = { card_pan_token: `network_token_test_${network}`, card_cvv_token: undefined };
    const { id, type, attributes } = await api.client.make('payment_methods', {
      ...testCard('visa'),
      ...method,
    });
    expect(attributes).toMatchObject({ network_token: true, kind: network });
    const { payer, billing_address } = await makeTokenParties(api.client);
    const parties = { payer, billing_address, payment_method: { id, type } } as never;
    expect((await payWith(api.client, parties)).attributes.status).toBe('succeeded');
    expect((await payWith(api.client, parties)).attributes.failure_reason).toBe(
      'cryptogram_missing',
    );
  });

  it('without a cryptogram pays nothing while the payer is there, and asks no processor', async () => {
    const claims = { cryptogram: undefined };
    const parties = await makeTokenParties(api.client, claims);
    const payment = await payWith(api.client, parties);
    expect(payment.attributes.failure_reason).toBe('cryptogram_missing');
    const path = `/v2/payment_attempts?filter[payment_demand]=${payment.id}`;
    expect((await api.client.get(path)).body.data).toEqual([]);
  });

  it('of a repeated JWE has the same tokens', async () => {
    const attributes = { network_token_jwe: await encryptNetworkToken(api.client) };
    const [first, second] = [await create(attributes), await create(attributes)];
    const token = first.body.data.attributes.card_pan_token;
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.data.attributes.card_pan_token).toBe(token);
  });

  it('of another number under a used id is refused', async () => {
    const jti = 'a-jti-of-this-test';
    await create({ network_token_jwe: await encryptNetworkToken(api.client, { jti }) });
    const other = { jti, number: tokenNumbers.mastercard };
    const answer = await create({
      network_token_jwe: await encryptNetworkToken(api.client, other),
    });
    expect(errorsOf(answer)).toEqual([['token_unusable', attributeOf('network_token_jwe')]]);
  });

  it.each<[string, object, [string, string][]]>([
    [
      'no card',
      {},
      [
        ['blank', 'card_pan_token'],
        ['blank', 'expiry_month'],
        ['blank', 'expiry_year'],
      ],
    ],
    [
      'a card without its expiry',
      { card_pan_token: 'pan_test_visa' },
      [
        ['blank', 'expiry_month'],
        ['blank', 'expiry_year'],
      ],
    ],
    [
      'two cards',
      { ...testCard('visa'), network_token_jwe: 'a.b.c.d.e' },
      [['invalid', 'network_token_jwe']],
    ],
    [
      'an expiry beside the JWE',
      { network_token_jwe: 'a.b.c.d.e', expiry_month: 1 },
      [['invalid', 'expiry_month']],
    ],
    [
      'a security code of a network token',
      {
        ...testCard('visa'),
        card_pan_token: 'network_token_test_visa',
      },
      [['invalid', 'card_cvv_token']],
    ],
    [
      'a JWE that is none',
      { network_token_jwe: 'a.b.c.d.e' },
      [['token_unusable', 'network_token_jwe']],
    ],
    [
      'a JWE that is too long',
      { network_token_jwe: 'x'.repeat(4097) },
      [['too_long', 'network_token_jwe']],
    ],
  ])('with %s is refused', async (_name, attributes, errors) => {
    const answer = await create(attributes);
    const expected = errors.map(([code, name]) => [code, attributeOf(name)]);
    expect([answer.status, errorsOf(answer)]).toEqual([422, expected]);
  });

  it.each<[string, object, RegExp]>([
    ['another merchant', { merchant_id: UNKNOWN_ID }, /another merchant/],
    ['no merchant', { merchant_id: undefined }, /`merchant_id` is missing/],
    ['an expiry as text', { expiry_year: '2031' }, /`expiry_year` must be a number/],
    ['a short id', { jti: 'short' }, /`jti` must be a text of 16 to 64 letters/],
    ['a long life', { exp: 9_999_999_999 }, /`exp` must be .* after `iat` by at most 300/],
    ['a long indicator', { eci: '005' }, /`eci` that is not a text of one or two digits/],
  ])('of a JWE with %s is refused, and the detail names the claim', async (_, claims, fault) => {
    const network_token_jwe = await encryptNetworkToken(api.client, claims);
    const answer = await create({ network_token_jwe });
    expect(answer.body.errors?.[0]?.detail).toMatch(fault);
  });
});

describe('encryption keys', () => {
  it('are those of the mode', async () => {
    const { body, status } = await api.client.get('/v2/encryption_keys');
    const { body: live } = await api.live.get('/v2/encryption_keys');
    expect(status).toBe(200);
    expect(body.data[0]).toMatchObject({
      type: 'encryption_keys',
      attributes: {
        status: 'current',
        enc: 'A256GCM',
        jwk: { kid: body.data[0].id, kty: 'EC', crv: 'P-256', alg: 'ECDH-ES', use: 'enc' },
      },
    });
    expect(live.data[0].id).not.toBe(body.data[0].id);
  });

  it('need a key with the permission to create payment methods', async () => {
    const merchant = await api.fixtures.getDemoMerchant();
    const key = await merchant.makeKey({ permissions: ['consumer.payment_methods.read'] });
    expect((await api.as(key).get('/v2/encryption_keys')).status).toBe(403);
  });
});

it('a payment by the merchant needs no cryptogram, but an earlier payment by the payer', async () => {
  const parties = await makeTokenParties(api.client, { cryptogram: undefined });
  const demand = await makeDemand(api.client, { initiator: 'merchant' }, parties);
  const answer = await api.client.send('PATCH', `/v2/payment_demands/${demand.id}/confirm`);
  expect(errorsOf(answer)).toEqual([
    ['card_not_used_before', '/data/relationships/payment_method'],
  ]);
});
