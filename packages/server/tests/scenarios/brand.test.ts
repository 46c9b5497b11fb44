import { beforeAll, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Browser, signIn } from '../support/browser.ts';
import { createCustomerLink, getPage, makePaidSubscription } from '../support/customer-page.ts';
import { pngOf } from '../support/evidence-files.ts';
import { pathOf } from '../support/link-visit.ts';
import { makeLink } from '../support/make.ts';

const api = useApi();
let browser: Browser;
let merchant: string;
beforeAll(async () => {
  merchant = (await api.fixtures.getDemoMerchant()).id;
  browser = await signIn(api.stack.baseUrl, api.stack.credentials.account);
});

async function setBrand(brand_color: string | null, logo?: Buffer): Promise<void> {
  const data = { type: 'merchants', id: merchant, attributes: { brand_color } };
  expect((await api.live.send('PATCH', `/v2/merchants/${merchant}`, { data })).status).toBe(200);
  const scope = { 'florin-merchant': merchant, 'florin-mode': 'sandbox' };
  const content = logo && { content: logo.toString('base64') };
  const method = content ? 'PUT' : 'DELETE';
  const { status } = await browser.send(method, '/dashboard/api/logo', content, scope);
  expect(status).toBeLessThan(300);
}

it.each([
  ['a link', async () => pathOf(await makeLink(api.client)), 'main.link button'],
  [
    'a customer',
    async () => createCustomerLink(api.client, await makePaidSubscription(api.client)),
    'button.main,.button.main',
  ],
])(
  'pages of %s have the logo and colour of the merchant, within their policy',
  async (_name, makePath, buttons) => {
    const path = await makePath();
    await setBrand(null);
    expect((await getPage(api.stack, path)).text).not.toMatch(/<style|<img/);
    expect((await getPage(api.stack, `${path}/logo`)).status).toBe(404);
    await setBrand('#ffe100', pngOf({ width: 30, height: 8, color: 2 }));
    const { text, headers } = await getPage(api.stack, path);
    expect(text).toContain(`<img class="logo" src="${path}/logo" alt="`);
    expect(text).toContain(`${buttons}{background:#ffe100;color:#000000`);
    const policy = headers.get('content-security-policy');
    expect(policy).toMatch(/style-src 'self' 'sha256-[^']+'; .*img-src 'self'/);
    const logo = await getPage(api.stack, `${path}/logo`);
    expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect((await getPage(api.stack, `${path.slice(0, -1)}_/logo`)).status).toBe(404);
    await setBrand(null);
  },
);
