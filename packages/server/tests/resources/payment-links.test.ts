import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { documentOf, type ResourceObject } from '../support/client.ts';
import { callPay } from '../support/form.ts';
import { FAR_AHEAD, makeLink, paymentLink } from '../support/make.ts';
import {
  describeReads,
  describeRefusals,
  describeRefusedMethods,
  errorsOf,
  patch,
} from '../support/resource-suite.ts';
import { simulateLive } from '../support/simulated-live.ts';

const api = useOwnStack({ processors: simulateLive() });
const make = (): Promise<ResourceObject> => makeLink(api.client);
const DISCOUNT_POINTER = 'line_items/0/discount_cents';
const rose = { name: 'Rose', quantity: 1, amount_cents: 2500, amount_currency: 'USD' };
const lineItemsWith = (overrides: object = {}) => ({ line_items: [{ ...rose, ...overrides }] });
const PAST = '2020-01-01T00:00:00Z';

describe('a payment link', () => {
  describeReads(api, 'payment_links', make, [
    'customer',
    'payment_demands',
    'payment_subscriptions',
  ]);
  describeRefusedMethods(api, 'payment_links');
  describeRefusals(api, { type: 'payment_links', validAttributes: paymentLink, make }, [
    ['no title', { title: undefined }, 'blank'],
    ['a title that is too long', { title: 'x'.repeat(201) }, 'too_long'],
    ['no amount', { amount_cents: undefined }, 'blank'],
    ['an amount that is too small', { amount_cents: 1 }, 'too_small'],
    ['a currency that the merchant does not take', { amount_currency: 'XXX' }, 'invalid'],
    ['a period that does not exist', { billing_period: 'fortnight' }, 'not_in_list'],
    ['an end that has passed', { expires_at: PAST }, 'invalid'],
    ['no uses', { uses_max: 0 }, 'too_small'],
    ['a success URL that is no URL', { success_url: 'javascript:alert(1)' }, 'invalid'],
    ['an insecure success URL', { success_url: 'http://shop.example/' }, 'url_not_allowed'],
    [
      'a success URL with a password',
      { success_url: 'https://a:b@shop.example/' },
      'url_not_allowed',
    ],
    ['a count of uses', { uses_count: 3 }, 'read_only'],
    ['a URL', { url: 'https://pay.example/l/x' }, 'read_only'],
    [
      'a discount above its price',
      lineItemsWith({ discount_cents: 2501 }),
      'too_large',
      DISCOUNT_POINTER,
    ],
  ]);

  it('is active, and has an unguessable URL with its QR code', async () => {
    const [link, otherLink] = [await make(), await make()];
    const { attributes } = link;
    expect(attributes).toMatchObject({ status: 'active', uses_count: 0, ended_at: null });
    const { origin, pathname } = new URL(attributes.url);
    expect([origin, pathname]).toEqual([
      new URL(api.stack.payUrl).origin,
      expect.stringMatching(/^\/l\/[\w-]{22}$/),
    ]);
    expect(attributes.url).not.toBe(otherLink.attributes.url);
    expect(attributes.url).not.toContain(link.id);
    expect(attributes.qr_svg_url).toBe(`${attributes.url}/qr.svg`);
  });

  it('of the sandbox may redirect to this machine, a live one only to https', async () => {
    const success_url = 'http://localhost:3000/thanks';
    expect((await makeLink(api.client, { success_url })).attributes.success_url).toBe(success_url);
    const answer = await api.live.send(
      'POST',
      '/v2/payment_links',
      documentOf('payment_links', { ...paymentLink, success_url }),
    );
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [['url_not_allowed', '/data/attributes/success_url']],
    ]);
  });

  it('is created once for one idempotency key', async () => {
    const makeLinkOf = (amount_cents: number) =>
      api.client.send(
        'POST',
        '/v2/payment_links',
        documentOf('payment_links', { ...paymentLink, ...lineItemsWith(), amount_cents }),
        { 'idempotency-key': 'a-link' },
      );
    const [firstAnswer, repeatedAnswer, otherAnswer] = [
      await makeLinkOf(900),
      await makeLinkOf(900),
      await makeLinkOf(901),
    ];
    expect([firstAnswer.status, repeatedAnswer.status, otherAnswer.status]).toEqual([
      201, 201, 409,
    ]);
    expect(repeatedAnswer.body.data).toEqual(firstAnswer.body.data);
  });

  it('can be changed while it is active', async () => {
    const link = await make();
    const changes = { title: 'A rose', amount_cents: 300, expires_at: FAR_AHEAD, uses_max: 2 };
    const { status, body } = await patch(api, link, changes);
    expect([status, body.data.attributes]).toEqual([
      200,
      { ...link.attributes, ...changes, updated_at: expect.any(String) },
    ]);
  });

  it('stays expired, and a repeat answers the same', async () => {
    const link = await make();
    const expire = () => api.client.send('PATCH', `/v2/payment_links/${link.id}/expire`);
    const { status, body } = await expire();
    expect([status, body.data.attributes.status]).toEqual([200, 'expired']);
    expect(body.data.attributes.ended_at).not.toBeNull();
    expect((await expire()).body.data).toEqual(body.data);
    const answer = await patch(api, link, { title: 'A rose' });
    expect([answer.status, errorsOf(answer)]).toEqual([405, [['invalid_state', undefined]]]);
  });

  it('has a QR code: black on white, with a quiet zone, cacheable', async () => {
    const { attributes } = await make();
    const { pathname } = new URL(attributes.qr_svg_url);
    const { status, text } = await callPay(api.stack, pathname);
    expect(status).toBe(200);
    expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 (\d+) \1">/);
    expect(text).toContain('fill="white"');
    expect(text).toContain('fill="black"');
    const otherQrCode = await callPay(
      api.stack,
      new URL((await make()).attributes.qr_svg_url).pathname,
    );
    expect(digest(otherQrCode.text)).not.toBe(digest(text));
    expect((await callPay(api.stack, '/l/nobody-has-this-code0/qr.svg')).status).toBe(404);
  });
});

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
