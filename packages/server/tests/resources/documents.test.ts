import { permissionSlug } from '@florin/contract/permissions.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Browser, signIn } from '../support/browser.ts';
import { type Client, type ResourceObject, UNKNOWN_ID } from '../support/client.ts';
import { createCustomerLink, getPage, makePaidSubscription } from '../support/customer-page.ts';
import { exchange } from '../support/exchange.ts';
import {
  makeCapturedPayment,
  makeRefund,
  waitForDocuments,
  waitForOutcome,
} from '../support/make.ts';
import { describeReads, describeRefusedMethods } from '../support/resource-suite.ts';
import { recordOperation } from '../support/seen.ts';

const api = useApi();
const type = 'documents';

const CONTENT_TYPES = ['documents', 'customers', 'consumer_addresses', 'payment_methods'] as const;

const createMerchantClient = async (): Promise<Client> =>
  api.as(await (await api.fixtures.makeMerchant()).makeKey());

/** Refunds a new payment. Returns the credit note. */
async function makeCreditNote(client = api.client, amount_cents = 100): Promise<ResourceObject> {
  const payment = await makeCapturedPayment(client, { amount_cents: 2500 });
  const refund = await makeRefund(client, payment, { amount_cents });
  await waitForOutcome(client, refund.id, 'refund_demands');
  const notes = await waitForDocuments(client, 'credit_note', 1);
  const note = notes.find(({ relationships }) => idIn(relationships.refund_demand) === refund.id);
  return note ?? makeCreditNote(client, amount_cents);
}

const idIn = (relation: ResourceObject['relationships'][string] | undefined): string | undefined =>
  (relation?.data as ResourceObject | null)?.id;

/** Downloads the content of a document with an API key. */
async function download(key: string, { id }: ResourceObject) {
  const path = `/v2/documents/${id}/content`;
  const answer = await exchange(new URL(path, api.stack.baseUrl), {
    method: 'GET',
    headers: { authorization: `Bearer ${key}`, 'user-agent': 'florin-tests/1' },
  });
  recordOperation('GET', path, answer.status);
  return answer;
}

describe('a document', () => {
  describeReads(api, type, makeCreditNote, ['payment_subscription']);
  describeRefusedMethods(api, type);

  it('of a subscription’s charge is an invoice, which its customer downloads too', async () => {
    const client = await createMerchantClient();
    const subscription = await makePaidSubscription(client, {});
    const [invoice] = await waitForDocuments(client, 'invoice', 1);
    expect(invoice?.attributes).toMatchObject({ number: 'INV-000001', locale: 'en' });
    expect(idIn(invoice?.relationships.payment_subscription)).toBe(subscription.id);
    const charge = idIn(invoice?.relationships.payment_demand);
    const link = await createCustomerLink(client, subscription);
    const answer = await getPage(api.stack, `${link}/receipts/${charge}/pdf`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-disposition')).toContain('INV-000001.pdf');
    expect((await getPage(api.stack, `${link}/receipts/${UNKNOWN_ID}/pdf`)).status).toBe(404);
    expect((await getPage(api.stack, link)).text).toContain(`/receipts/${charge}/pdf"`);
  });

  it('of a refund is a credit note after the receipt of its payment, each with a PDF', async () => {
    const key = await (await api.fixtures.makeMerchant()).makeKey();
    const client = api.as(key);
    const note = await makeCreditNote(client, 700);
    const [receipt] = await waitForDocuments(client, 'receipt', 1);
    expect([receipt?.attributes.number, receipt?.attributes.amount_cents]).toEqual([
      'REC-000001',
      2500,
    ]);
    expect([note.attributes.number, note.attributes.amount_cents]).toEqual(['CN-000001', 700]);
    expect(idIn(note.relationships.payment_demand)).toBe(
      idIn(receipt?.relationships.payment_demand),
    );
    const content = await download(key, note);
    expect([content.status, content.text.slice(0, 5)]).toEqual([200, '%PDF-']);
    expect(Object.fromEntries(content.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="CN-000001.pdf"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const otherKey = await (await api.fixtures.makeMerchant()).makeKey();
    expect((await download(otherKey, note)).status).toBe(404);
  });

  it('has a PDF for keys that may read all that it shows, and for no others', async () => {
    const merchant = await api.fixtures.makeMerchant();
    const note = await makeCreditNote(api.as(await merchant.makeKey()));
    const slugs = CONTENT_TYPES.map((type) => permissionSlug(resources[type], 'read'));
    expect((await download(await merchant.makeKey({ permissions: slugs }), note)).status).toBe(200);
    for (const missing of slugs) {
      const permissions = slugs.filter((slug) => slug !== missing);
      const answer = await download(await merchant.makeKey({ permissions }), note);
      expect([missing, answer.status]).toEqual([missing, 403]);
      expect(answer.text).toContain(missing);
    }
  });

  it('of another payment is a receipt, issued once by its first download in the dashboard', async () => {
    const merchantId = (await api.fixtures.getDemoMerchant()).id;
    const browser: Browser = await signIn(api.stack.baseUrl, api.stack.credentials.account);
    const payment = await makeCapturedPayment(api.client);
    const path = `/dashboard/api/documents/payments/${payment.id}?merchant=${merchantId}&mode=sandbox`;
    const answers = await Promise.all([browser.get(path), browser.get(path), browser.get(path)]);
    const [first] = answers;
    expect(first?.headers.get('content-disposition')).toMatch(/"REC-\d{6}\.pdf"/);
    expect(first?.body.slice(0, 5)).toBe('%PDF-');
    for (const answer of answers) expect(answer.body).toBe(first?.body);
    const { body } = await api.client.get(`/v2/documents?filter[payment_demand]=${payment.id}`);
    expect(body.data).toHaveLength(1);
    expect((await browser.get(path.replace(payment.id, UNKNOWN_ID))).status).toBe(404);
    expect((await browser.get(path.replace('sandbox', 'live'))).status).toBe(404);
  });
});
