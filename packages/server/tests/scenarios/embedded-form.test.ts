import { createHash } from 'node:crypto';
import type { BillingAddress } from '@florin/contract/protocol/frame.ts';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { answerOf, callPay, mountForm, sealCard } from '../support/form.ts';
import { makeAddress, makeCustomer, makeDemand } from '../support/make.ts';
import { rawRequest } from '../support/raw-request.ts';

const api = useApi();
const VERIFY = '/frame/v1/verify';
const berlin = { line_1: 'Hauptstraße 1', city: 'Berlin', state: '', zip: '10115', country: 'DE' };

async function verify(paymentId: string, billing_address: BillingAddress, card = 'visa') {
  const form = await mountForm(api.stack, paymentId, api.stack.credentials.sandbox.publishable_key);
  const body = await sealCard(form, card);
  return answerOf(await callPay(api.stack, VERIFY, { ...body, billing_address }));
}

const readAddressId = async (paymentId: string): Promise<string | undefined> => {
  const { relationships } = await api.client.fetch('payment_demands', paymentId);
  return (relationships.billing_address?.data as { id: string } | null)?.id;
};

describe('the address of an embedded form', () => {
  it('becomes the billing address of a payment without one, which is then ready', async () => {
    const payer = await makeCustomer(api.client);
    const { id } = await makeDemand(api.client, {}, { payer });
    expect((await verify(id, berlin)).result).toBe('verified');
    const { attributes } = await api.client.fetch('payment_demands', id);
    expect(attributes.status).toBe('ready');
    const address = await api.client.fetch('consumer_addresses', (await readAddressId(id))!);
    expect(address.attributes).toMatchObject({ ...berlin, country: 'DEU' });
    expect(address.relationships.customer?.data).toMatchObject({ id: payer.id });
  });

  it('replaces another one, and is stored once however often it is sent', async () => {
    const billing_address = await makeAddress(api.client);
    const { id } = await makeDemand(api.client, {}, { billing_address });
    await verify(id, berlin);
    const addressId = await readAddressId(id);
    await verify(id, berlin, 'mastercard');
    expect(addressId).not.toBe(billing_address);
    expect(await readAddressId(id)).toBe(addressId);
  });

  it.each([
    [{ country: 'XX' }, undefined],
    [{ line_1: '' }, undefined],
    [{ country: 'US', zip: '10001', state: 'Bavaria' }, 'state'],
    [{ country: 'US', zip: '1', state: 'NY' }, 'zip'],
  ])(
    'that is invalid (%j) is refused before the card is read, at the field %s',
    async (change, field) => {
      const { id } = await makeDemand(api.client, {}, {});
      const answer = await verify(id, { ...berlin, ...change });
      expect([answer.result, answer.detail.code]).toEqual(['error', 'invalid_address']);
      expect(answer.detail.field).toBe(field);
      expect(await readAddressId(id)).toBeUndefined();
    },
  );
});

describe('the language of a form', () => {
  it.each([
    ['locale=de', 'fr', 'de', 'Kartendaten'],
    ['locale=', 'fr-CH, en;q=0.5', 'fr', 'Données de la carte'],
    ['locale=cy&locale=de', '', 'en', 'Card details'],
  ])('with %s and Accept-Language %j is %s', async (query, acceptedLanguages, lang, title) => {
    const { id } = await makeDemand(api.client, {}, {});
    const key = api.stack.credentials.sandbox.publishable_key;
    for (const paymentId of [id, id.replace(/^./, '7')]) {
      const headers = { 'accept-language': acceptedLanguages };
      const page = await callPay(
        api.stack,
        `/pay/${paymentId}?key=${key}&${query}`,
        undefined,
        headers,
      );
      expect(page.text).toContain(`<html lang="${lang}" dir="ltr">`);
      expect(page.text).toContain(`<title>${title}</title>`);
    }
  });
});

describe('the scripts of the form', () => {
  const fetchPath = (path: string) =>
    rawRequest(api.stack.payUrl, {
      method: 'GET',
      path,
      headers: { host: new URL(api.stack.payUrl).host },
    });

  it('are at stable addresses, and at immutable ones with their hashes', async () => {
    const manifestText = (await fetchPath('/v1/sri.json')).text;
    const scripts = JSON.parse(manifestText) as Record<string, { url: string; integrity: string }>;
    expect(Object.keys(scripts)).toEqual(['florin.js', 'florin.mjs']);
    for (const [name, { url, integrity }] of Object.entries(scripts)) {
      const [stableScript, pinnedScript] = [await fetchPath(`/v1/${name}`), await fetchPath(url)];
      expect(stableScript.headers.get('cache-control')).toBe('public, max-age=300');
      expect(pinnedScript.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(pinnedScript.headers.get('access-control-allow-origin')).toBe('*');
      expect(pinnedScript.text).toBe(stableScript.text);
      const digest = createHash('sha384').update(pinnedScript.text).digest('base64');
      expect(integrity).toBe(`sha384-${digest}`);
    }
  });

  it('are those of its form factor, pinned', async () => {
    const { id } = await makeDemand(api.client, {}, {});
    const key = api.stack.credentials.sandbox.publishable_key;
    for (const [form, name] of [
      ['inputs', 'form'],
      ['embedded', 'form-embedded'],
      ['popup', 'form'],
    ]) {
      const { text } = await callPay(api.stack, `/pay/${id}?key=${key}&form=${form}`);
      expect(text).toMatch(new RegExp(`src="/v1/${name}-[0-9a-f]{16}\\.js" integrity="sha384-`));
    }
  });
});
