import { roleSlugs } from '@florin/contract/roles.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { Browser } from '../support/browser.ts';
import type { ResourceObject } from '../support/client.ts';
import { makeCapturedPayment, makeDemand, waitForEmails } from '../support/make.ts';
import { openMember } from '../support/open-member.ts';

const api = useApi();
let merchantId: string;
let payment: ResourceObject;
let support: Browser;

const resend = (browser: Browser, id = payment.id, mode = 'sandbox') =>
  browser.send('POST', `/dashboard/api/payments/${id}/receipt`, undefined, {
    'florin-merchant': merchantId,
    'florin-mode': mode,
  });
const countReceipts = async (): Promise<number> => {
  const [row] = await api.fixtures.db.query(
    `select count(*) as receipts from letters where kind = 'receipt' and subject_id = $1`,
    [payment.id],
  );
  return Number(row?.receipts);
};

beforeAll(async () => {
  merchantId = (await api.fixtures.getDemoMerchant()).id;
  payment = await makeCapturedPayment(api.client);
  const permissions = roleSlugs('support');
  support = (await openMember(api, { merchant_id: merchantId, permissions })).browser;
});

describe('the receipt of a payment', () => {
  it('is written again once an hour, also by two requests together', async () => {
    const before = await countReceipts();
    const answers = await Promise.all([resend(support), resend(support)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [email] = await waitForEmails(
      api.client,
      `filter[payment_demand]=${payment.id}`,
      (found) => found.length > before,
    );
    expect(answers[0]?.body.to_email).toBe(email?.attributes.to_email);
    expect((await resend(support)).body.is_new).toBe(false);
    expect(await countReceipts()).toBe(before + 1);
  });

  it('is not written for a payment without money, in the other mode, or by a reader', async () => {
    const open = await makeDemand(api.client);
    expect((await resend(support, open.id)).status).toBe(405);
    expect((await resend(support, payment.id, 'live')).status).toBe(404);
    const permissions = ['transaction.payment_demands.read'];
    const reader = await openMember(api, { merchant_id: merchantId, permissions });
    expect((await resend(reader.browser)).status).toBe(403);
  });
});
