import { permissionSlug } from '@florin/contract/permissions.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { sumCustomerPayments } from '../../src/features/overview/customers/sql.ts';
import { useApi } from '../support/api.ts';
import { type Browser, signIn } from '../support/browser.ts';
import { type ResourceObject, UNKNOWN_ID } from '../support/client.ts';
import {
  DISPUTED_CENTS,
  makeCapturedPayment,
  makeDemand,
  makeParties,
  makeRefund,
  waitForDispute,
  waitForOutcome,
} from '../support/make.ts';

const api = useApi();
let browser: Browser;
let merchantId: string;
let parties: Awaited<ReturnType<typeof makeParties>>;

const idOf = ({ payer }: typeof parties): string => (payer as ResourceObject).id;
const scopeHeaders = (mode: string) => ({ 'florin-merchant': merchantId, 'florin-mode': mode });
const figuresOf = (id: string, mode = 'sandbox') =>
  browser.get(`/dashboard/api/customers/${id}/figures`, scopeHeaders(mode));
const payAs = async (attributes: object) => {
  const { id } = await makeDemand(api.client, { confirmed: true, ...attributes }, parties);
  return waitForOutcome(api.client, id);
};

beforeAll(async () => {
  merchantId = (await api.fixtures.getDemoMerchant()).id;
  browser = await signIn(api.stack.baseUrl, api.stack.credentials.account);
  parties = await makeParties(api.client);
});

describe('the figures of a customer', () => {
  it('are empty before the first payment', async () => {
    const { status, body } = await figuresOf(idOf(parties));
    expect([status, body]).toEqual([
      200,
      {
        payments: { paid: 0, refunded: 0, amounts: [], is_minimum: false },
        disputes: { count: 0, open: 0, is_minimum: false },
        subscriptions: { count: 0, active: 0, is_minimum: false },
      },
    ]);
  });

  it('sum what the customer paid and got back by currency, without intents and other customers', async () => {
    const refunded = await payAs({ amount_cents: 5000 });
    await payAs({ amount_cents: 2500 });
    await payAs({ amount_cents: 900, amount_currency: 'EUR' });
    await makeDemand(api.client, {}, parties);
    await makeCapturedPayment(api.client);
    const refund = await makeRefund(api.client, refunded, { amount_cents: 1000 });
    await waitForOutcome(api.client, refund.id, 'refund_demands');
    expect((await figuresOf(idOf(parties))).body.payments).toEqual({
      ...{ paid: 3, refunded: 1, is_minimum: false },
      amounts: [
        { currency: 'USD', paid_cents: '7500', refunded_cents: '1000' },
        { currency: 'EUR', paid_cents: '900', refunded_cents: '0' },
      ],
    });
  });

  it('count disputes, and those without a decision', async () => {
    const { id } = await payAs({ amount_cents: DISPUTED_CENTS });
    await waitForDispute(api.client, id);
    const { disputes } = (await figuresOf(idOf(parties))).body;
    expect(disputes).toEqual({ count: 1, open: 1, is_minimum: false });
  });

  it('read a limited number of payments', async () => {
    const { db } = api.fixtures;
    const scope = { merchant_id: merchantId, mode: 'sandbox' } as const;
    const sums = await sumCustomerPayments(db, scope, idOf(parties), 2);
    expect(sums.reduce((total, { read }) => total + read, 0)).toBe(2);
  });

  it('leave out what the member may not read', async () => {
    const { db } = api.fixtures;
    const slug = permissionSlug(resources.customers, 'read');
    await db.query(
      `update memberships set opener = false, permissions = $2 where merchant_id = $1`,
      [merchantId, JSON.stringify([slug])],
    );
    expect((await figuresOf(idOf(parties))).body).toEqual({});
    await db.query(`update memberships set opener = true where merchant_id = $1`, [merchantId]);
  });

  it.each([
    ['an unknown id', () => UNKNOWN_ID, 'sandbox'],
    ['no id', () => 'ada', 'sandbox'],
    ['a customer of the other mode', () => idOf(parties), 'live'],
  ])('do not exist for %s', async (_what, id, mode) => {
    expect((await figuresOf(id(), mode)).status).toBe(404);
  });
});
