import type { PaymentActor } from '@florin/contract/payment-actors.ts';
import { roleSlugs } from '@florin/contract/roles.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { Browser } from '../support/browser.ts';
import { documentOf, type ResourceObject, UNKNOWN_ID } from '../support/client.ts';
import { eventually, makeCapturedPayment, makeRefund, waitForOutcome } from '../support/make.ts';
import { openMember } from '../support/open-member.ts';

const api = useApi();
const READ = ['transaction.payment_demands.read', 'transaction.refund_demands.read'];
let merchantId: string;
let payment: ResourceObject;
let keyRefund: ResourceObject;
let memberRefundId: string;

const headersOf = (mode = 'sandbox') => ({
  'florin-merchant': merchantId,
  'florin-mode': mode,
  'content-type': 'application/vnd.api+json',
});
const readActors = (browser: Browser, id = payment.id, mode = 'sandbox') =>
  browser.get(`/dashboard/api/payments/${id}/actors`, headersOf(mode));
const member = (permissions: readonly string[], name?: string) =>
  openMember(api, { merchant_id: merchantId, permissions, ...(name && { name }) });
/** Actors of a record, by kind and name. */
const namesOf = (actors: readonly PaymentActor[], id: string) =>
  actors.flatMap(({ record_id, kind, name }) => (record_id === id ? [[kind, name]] : []));

async function refundAs(browser: Browser, amount_cents: number): Promise<string> {
  const attributes = { amount_cents, reason: 'customer_canceled' };
  const document = documentOf('refund_demands', attributes, { payment_demand: payment });
  const { status, body } = await browser.send('POST', '/v2/refund_demands', document, headersOf());
  expect(status).toBe(201);
  return body.data.id;
}

beforeAll(async () => {
  merchantId = (await api.fixtures.getDemoMerchant()).id;
  payment = await makeCapturedPayment(api.client);
  keyRefund = await makeRefund(api.client, payment, { amount_cents: 100 });
  await waitForOutcome(api.client, keyRefund.id, 'refund_demands');
  const { browser } = await member(roleSlugs('support'), 'Grace Hopper');
  memberRefundId = await refundAs(browser, 200);
});

describe('the actors of a payment', () => {
  it('are the member and the key that refunded it, with their names', async () => {
    const { browser } = await member(roleSlugs('administrator'));
    const { status, body } = await eventually(
      () => readActors(browser),
      (answer) => namesOf(answer.body, keyRefund.id).length > 0,
    );
    expect(status).toBe(200);
    expect(namesOf(body, memberRefundId)).toEqual([['member', 'Grace Hopper']]);
    expect(namesOf(body, keyRefund.id)).toEqual([['api_key', expect.stringMatching(/\w/)]]);
    const [actor] = body.filter((it: PaymentActor) => it.record_id === memberRefundId);
    expect(actor.action).toBe('POST /v2/refund_demands');
  });

  it('have no email address and no name of a key for people who may not read these', async () => {
    const nameless = await member(roleSlugs('administrator'));
    const refundId = await refundAs(nameless.browser, 300);
    const { body: shownToAll } = await readActors(nameless.browser);
    expect(namesOf(shownToAll, refundId)).toEqual([['member', nameless.email]]);
    const reader = await member(READ);
    const { body } = await readActors(reader.browser);
    expect(namesOf(body, refundId)).toEqual([['member', null]]);
    expect(namesOf(body, memberRefundId)).toEqual([['member', 'Grace Hopper']]);
    expect(namesOf(body, keyRefund.id)).toEqual([['api_key', null]]);
    expect(JSON.stringify(body)).not.toContain('@');
  });

  it('leave out refused attempts', async () => {
    const { id, browser } = await member(READ, 'Mallory');
    const refused = await browser.send(
      'PATCH',
      `/v2/payment_demands/${payment.id}/void`,
      undefined,
      headersOf(),
    );
    expect(refused.status).toBe(403);
    const entries = await api.fixtures.db.query(
      'select record_id from audit_entries where account_id = $1',
      [id],
    );
    expect(entries).toEqual([{ record_id: payment.id }]);
    expect(JSON.stringify((await readActors(browser)).body)).not.toContain('Mallory');
  });

  it.each([
    ['in the other mode', () => payment.id, 'live'],
    ['of another id', () => UNKNOWN_ID, 'sandbox'],
    ['of what is no id', () => 'x', 'sandbox'],
  ])('are not found %s', async (_what, id, mode) => {
    const { browser } = await member(roleSlugs('administrator'));
    expect((await readActors(browser, id(), mode)).status).toBe(404);
  });
});
