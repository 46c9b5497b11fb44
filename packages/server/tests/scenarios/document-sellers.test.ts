import { LOGO_BYTES_MAX } from '@florin/contract/document-logo.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Browser, signIn } from '../support/browser.ts';
import { pngOf } from '../support/evidence-files.ts';
import { makeCapturedPayment } from '../support/make.ts';

const api = useApi();
let browser: Browser;
let merchantId: string;
const scope = () => ({ 'florin-merchant': merchantId, 'florin-mode': 'sandbox' });
const send = (method: string, path: string, body?: object) =>
  browser.send(method, `/dashboard/api/${path}`, body, scope());
const fetchDashboard = (path: string) => browser.get(`/dashboard/api/${path}`, scope());
const sendLogo = (bytes: Buffer) => send('PUT', 'logo', { content: bytes.toString('base64') });

beforeAll(async () => {
  merchantId = (await api.fixtures.getDemoMerchant()).id;
  browser = await signIn(api.stack.baseUrl, api.stack.credentials.account);
});

const setSeller = async (attributes: Readonly<Record<string, string | null>>) => {
  const data = { type: 'merchants', id: merchantId, attributes };
  const answer = await api.live.send('PATCH', `/v2/merchants/${merchantId}`, { data });
  expect(answer.status).toBe(200);
};

/** The PDF of a payment, and the facts with which it was issued. */
async function readDocument(paymentId: string) {
  const answer = await fetchDashboard(`documents/payments/${paymentId}`);
  expect(answer.status).toBe(200);
  const [row] = await api.fixtures.db.query(
    'select facts from documents where payment_demand_id = $1',
    [paymentId],
  );
  const { merchant: seller, address } = JSON.parse(row?.facts ?? '');
  return { pdf: String(answer.body), seller, address };
}

const IMAGE = /\/Subtype \/Image/;

describe('the seller and the logo of documents', () => {
  it('are those of the issue: later changes concern later documents only', async () => {
    const logo = pngOf({ width: 300, height: 80, color: 2 });
    const { status, body } = await sendLogo(logo);
    expect(status).toBe(200);
    await setSeller({ seller_name: 'Rose Trading Ltd', seller_tax_number: 'GB 123' });
    const payment = await makeCapturedPayment(api.client);
    const before = await readDocument(payment.id);
    expect(before.seller).toMatchObject({
      seller_name: 'Rose Trading Ltd',
      seller_tax_number: 'GB 123',
      document_logo_id: body.id,
    });
    expect(before.pdf).toMatch(IMAGE);
    expect(before.address.zip).toEqual(expect.any(String));

    await setSeller({ seller_name: 'Thorn Ltd', seller_tax_number: null });
    expect((await send('DELETE', 'logo')).status).toBe(204);
    expect(await readDocument(payment.id)).toEqual(before);
    const after = await readDocument((await makeCapturedPayment(api.client)).id);
    expect(after.seller.seller_name).toBe('Thorn Ltd');
    expect(after.pdf).not.toMatch(IMAGE);
  });

  it('is stored once for equal bytes, and shown to members', async () => {
    const logo = pngOf({ width: 20, height: 10 });
    const [first, second] = await Promise.all([sendLogo(logo), sendLogo(logo)]);
    expect([first.status, second.body.id]).toEqual([200, first.body.id]);
    expect((await fetchDashboard('logo')).body).toEqual({ id: first.body.id });
    const content = await fetchDashboard('logo/content');
    expect([content.status, content.headers.get('content-type')]).toEqual([200, 'image/png']);
    await send('DELETE', 'logo');
    expect((await fetchDashboard('logo')).body).toEqual({ id: null });
    expect((await fetchDashboard('logo/content')).status).toBe(404);
  });

  it.each([
    ['that is no base64', () => send('PUT', 'logo', { content: '<svg>' }), /base64/],
    ['that is too large', () => sendLogo(Buffer.alloc(LOGO_BYTES_MAX + 3)), /at most 150000 bytes/],
    ['that is no picture', () => sendLogo(Buffer.from('mugs')), /neither PNG nor JPEG/],
    ['that is missing', () => send('PUT', 'logo', {}), /base64/],
  ])('a logo is refused %s', async (_title, answer, detail) => {
    const { status, body } = await answer();
    expect([status, body.errors[0].source]).toEqual([422, { pointer: '/content' }]);
    expect(body.errors[0].detail).toMatch(detail);
  });
});
