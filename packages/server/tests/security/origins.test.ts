import { describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { type Client, documentOf } from '../support/client.ts';
import { callPay, mountForm } from '../support/form.ts';
import { makeCardlessPayment } from '../support/make.ts';
import { rawRequest } from '../support/raw-request.ts';
import { errorsOf } from '../support/resource-suite.ts';
import { simulateLive } from '../support/simulated-live.ts';

const api = useOwnStack({ processors: simulateLive() });
const SHOP_ORIGIN = 'https://shop.example.com';

const createToken = (client: Client, origins: unknown, context = 'browser') =>
  client.send(
    'POST',
    '/v2/merchant_tokens',
    documentOf('merchant_tokens', { name: 'Shop', context, origins }),
  );
const changeToken = (client: Client, id: string, attributes: object) =>
  client.send(
    'PATCH',
    `/v2/merchant_tokens/${id}`,
    documentOf('merchant_tokens', attributes, {}, id),
  );

/** Origins that may mount a key's form: in the page's policy, and in the form's configuration. */
async function readMountOrigins(
  paymentId: string,
  key: string,
): Promise<[policy: string, config: readonly string[]]> {
  const path = `/pay/${paymentId}?key=${key}`;
  const host = new URL(api.stack.payUrl).host;
  const { headers } = await rawRequest(api.stack.payUrl, { path, headers: { host } });
  const policy = headers.get('content-security-policy') ?? '';
  const ancestors = /frame-ancestors ([^;]*)/.exec(policy)?.[1] ?? '';
  return [ancestors, (await mountForm(api.stack, paymentId, key)).origins];
}

describe('the origins of a publishable key', () => {
  it('are the only pages that may mount its form', async () => {
    const answer = await createToken(api.client, [SHOP_ORIGIN, 'http://localhost:4000']);
    const { token, origins } = answer.body.data.attributes;
    expect([answer.status, origins]).toEqual([201, [SHOP_ORIGIN, 'http://localhost:4000']]);
    const { id } = await makeCardlessPayment(api.client);
    expect(await readMountOrigins(id, token)).toEqual([
      `${SHOP_ORIGIN} http://localhost:4000`,
      origins,
    ]);
  });

  it('can be changed, and apply to the next form', async () => {
    const { attributes, id } = (await createToken(api.client, [SHOP_ORIGIN])).body.data;
    const paymentId = (await makeCardlessPayment(api.client)).id;
    expect((await readMountOrigins(paymentId, attributes.token))[0]).toBe(SHOP_ORIGIN);
    const updateAnswer = await changeToken(api.client, id, { origins: ['https://other.example'] });
    expect([updateAnswer.status, updateAnswer.body.data.attributes.origins]).toEqual([
      200,
      ['https://other.example'],
    ]);
    expect((await readMountOrigins(paymentId, attributes.token))[0]).toBe('https://other.example');
  });

  it('if there are none, any page may in the sandbox and none in live mode', async () => {
    const makeKey = async (client: Client) =>
      (await createToken(client, [])).body.data.attributes.token;
    const sandboxPaymentId = (await makeCardlessPayment(api.client)).id;
    const livePaymentId = (await makeCardlessPayment(api.live)).id;
    expect(await readMountOrigins(sandboxPaymentId, await makeKey(api.client))).toEqual([
      'http: https:',
      [],
    ]);
    expect(await readMountOrigins(livePaymentId, await makeKey(api.live))).toEqual(["'none'", []]);
  });

  it('of the demo merchant’s live key are those of the demo shop', async () => {
    const { id } = await makeCardlessPayment(api.live);
    const { origin } = new URL(api.stack.baseUrl);
    expect((await readMountOrigins(id, api.stack.credentials.live.publishable_key))[0]).toBe(
      origin,
    );
  });

  it.each([
    'https://shop.example.com',
    'https://shop.example.com:8443',
    'http://localhost',
    'http://localhost:4000',
    'http://shop.localhost:4000',
    'http://127.0.0.1:8080',
    'http://[::1]:8080',
    'https://xn--bcher-kva.example',
  ])('may be %s in live mode', async (origin) => {
    expect((await createToken(api.live, [origin])).status).toBe(201);
  });

  it.each([
    'http://shop.example.com',
    'http://localhost.example.com',
    'http://notlocalhost',
    'http://127.0.0.1.example.com',
    'http://10.0.0.1',
  ])('may be %s in the sandbox alone', async (origin) => {
    expect((await createToken(api.client, [origin])).status).toBe(201);
    const { status, body } = await createToken(api.live, [origin]);
    expect([status, body.errors?.[0]?.source]).toEqual([
      422,
      { pointer: '/data/attributes/origins/0' },
    ]);
  });

  it.each([
    '*',
    'null',
    'https://*.example.com',
    'https://shop.example.com/',
    'https://shop.example.com/checkout',
    'https://shop.example.com:443',
    'https://Shop.example.com',
    'https://user@shop.example.com',
    'https://bücher.example',
    "https://shop.example.com 'self'",
    "https://shop.example.com; script-src 'unsafe-inline'",
    'https://shop;script-src',
    'https://shop,default-src',
    "https://'self'",
    'shop.example.com',
    'ftp://shop.example.com',
    'file://',
    'data:text/html,x',
  ])('are never %s', async (origin) => {
    const { status, body } = await createToken(api.client, [SHOP_ORIGIN, origin]);
    const [error] = body.errors ?? [];
    expect([status, error?.code, error?.source]).toEqual([
      422,
      'invalid',
      { pointer: '/data/attributes/origins/1' },
    ]);
  });

  it('are validated in updates as well, which change nothing if refused', async () => {
    const { id } = (await createToken(api.live, [SHOP_ORIGIN])).body.data;
    const answer = await changeToken(api.live, id, { origins: ['http://shop.example.com'] });
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [['invalid', '/data/attributes/origins/0']],
    ]);
    const { attributes } = await api.live.fetch('merchant_tokens', id);
    expect(attributes.origins).toEqual([SHOP_ORIGIN]);
  });

  it('do not exist for a secret key, which mounts no form', async () => {
    const { id } = (await createToken(api.client, [], 'secret')).body.data;
    const answer = await changeToken(api.client, id, { origins: [SHOP_ORIGIN] });
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [['invalid', '/data/attributes/origins']],
    ]);
  });

  it('cannot be changed by a publishable key, nor by another merchant', async () => {
    const { id, attributes } = (await createToken(api.client, [SHOP_ORIGIN])).body.data;
    const otherClient = api.as(await (await api.fixtures.makeMerchant()).makeKey());
    const change = { origins: ['https://evil.example'] };
    const statuses = [api.as(attributes.token), otherClient, api.live].map(
      async (client) => (await changeToken(client, id, change)).status,
    );
    expect(await Promise.all(statuses)).toEqual([403, 404, 404]);
    const reader = api.as(
      await (await api.fixtures.getDemoMerchant()).makeKey({
        permissions: ['user.merchant_tokens.read'],
      }),
    );
    expect((await changeToken(reader, id, change)).status).toBe(403);
  });

  it('are not revealed when a form is refused', async () => {
    const { token } = (await createToken(api.client, [SHOP_ORIGIN])).body.data.attributes;
    const { text, status } = await callPay(api.stack, `/pay/unknown?key=${token}`);
    expect([status, text.includes(SHOP_ORIGIN)]).toEqual([404, false]);
  });
});
