import { randomBytes, randomUUID } from 'node:crypto';
import { CompactEncrypt, importJWK } from 'jose';
import { expect, it } from 'vitest';
import type { Client, Relations, ResourceObject } from './client.ts';
import { makeAddress, makeCustomer, makeDemand, makeRefund, waitForOutcome } from './make.ts';

/** Numbers of the sandbox's network tokens. */
export const tokenNumbers = {
  visa: '4895370012000003',
  mastercard: '5204249900000007',
} as const;

export const createCryptogram = (): string => randomBytes(20).toString('base64');

/** Encrypts a network token as a merchant's server does, with a new cryptogram. */
export async function encryptNetworkToken(
  client: Client,
  claims: object = {},
  header: object = {},
): Promise<string> {
  const [{ body: keys }, { body: merchants }] = await Promise.all([
    client.get('/v2/encryption_keys'),
    client.get('/v2/merchants'),
  ]);
  const { jwk, enc } = keys.data[0].attributes;
  const iat = Math.floor(Date.now() / 1000);
  const content = {
    number: tokenNumbers.visa,
    expiry_month: 12,
    expiry_year: 2031,
    cryptogram: createCryptogram(),
    merchant_id: merchants.data[0].id,
    jti: randomUUID(),
    iat,
    exp: iat + 300,
    ...claims,
  };
  const { alg, kid } = jwk;
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(content)))
    .setProtectedHeader({ alg, enc, kid, typ: 'network-token+jwe', ...header })
    .encrypt(await importJWK(jwk, alg));
}

/** Creates a payer, and a payment method that is a network token, by default the payer's own. */
export async function makeTokenParties(
  client: Client,
  claims: object = {},
  isTied = true,
): Promise<Relations> {
  const payer = await makeCustomer(client);
  const network_token_jwe = await encryptNetworkToken(client, claims);
  const [billing_address, payment_method] = await Promise.all([
    makeAddress(client, {}, { customer: payer }),
    client.make('payment_methods', { network_token_jwe }, isTied ? { customer: payer } : {}),
  ]);
  return { payer, billing_address, payment_method };
}

/** Pays, and waits for the outcome. */
export async function payWith(
  client: Client,
  parties: Relations,
  attributes: object = {},
): Promise<ResourceObject> {
  const { id } = await makeDemand(client, { confirmed: true, ...attributes }, parties);
  return waitForOutcome(client, id);
}

/** Journey of network tokens through any processor that takes them. */
export function itTakesNetworkTokens(florin: { readonly client: Client }): void {
  it.each([
    ['visa', 'tied to the payer'],
    ['mastercard', 'tied to nobody'],
  ] as const)(
    'pays with a network token of %s, %s, charges it without the payer, and refunds',
    async (network, owner) => {
      const claims = { number: tokenNumbers[network] };
      const parties = await makeTokenParties(florin.client, claims, owner === 'tied to the payer');
      const payment = await payWith(florin.client, parties);
      expect(payment.attributes).toMatchObject({ status: 'succeeded', failure_reason: null });
      const charge = await payWith(florin.client, parties, { initiator: 'merchant' });
      expect(charge.attributes).toMatchObject({ status: 'succeeded', initiator: 'merchant' });
      const { id } = await makeRefund(florin.client, payment);
      const refund = await waitForOutcome(florin.client, id, 'refund_demands');
      expect(refund.attributes.status).toBe('succeeded');
    },
  );

  it('never sends a second payment by the payer with the same cryptogram', async () => {
    const parties = await makeTokenParties(florin.client);
    await payWith(florin.client, parties);
    const second = await payWith(florin.client, parties);
    expect(second.attributes).toMatchObject({
      status: 'failed',
      failure_reason: 'cryptogram_missing',
    });
  });
}
