import {
  filterStopped,
  lockMerchantStatus,
} from '@florin/server/features/merchants/sql/enforcement-actions.ts';
import { loadCatalog } from '@florin/server/platform/database/catalog.ts';
import { type Db, openDatabase } from '@florin/server/platform/database/db.ts';
import type { Row } from '@florin/server/platform/database/row.ts';
import { insertRows } from '@florin/server/platform/database/rows.ts';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { signIn } from '../support/browser.ts';
import { type Answer, type Client, documentOf, type ResourceObject } from '../support/client.ts';
import { duePayment } from '../support/due.ts';
import { callPay, mountForm, sealCard } from '../support/form.ts';
import { beginPayment, browse, pathOf, submitConfirmation } from '../support/link-visit.ts';
import {
  eventually,
  makeAuthorisedPayment,
  makeCapturedPayment,
  makeCardlessPayment,
  makeDemand,
  makeDispute,
  makeLink,
  makeParties,
  makeSubscription,
  newestOf,
  purchase,
  recurringPurchase,
  waitForOutcome,
} from '../support/make.ts';
import { type Operator, operatorOf } from '../support/operator.ts';
import { simulateLive } from '../support/simulated-live.ts';
import {
  createStoryClock,
  firstChargeChanges,
  renewalChanges,
  startStory,
  waitUntilDrained,
} from '../support/story-clock.ts';

const clock = createStoryClock('2027-01-01T00:00:00Z');
const api = useOwnStack({ config: { clock }, processors: simulateLive() });
let merchantId: string;
let operator: Operator;
beforeAll(async () => {
  merchantId = (await api.fixtures.getDemoMerchant()).id;
  operator = operatorOf(api);
});
afterEach(() => operator.liftActions(merchantId));

const codeOf = ({ status, body }: Pick<Answer, 'status' | 'body'>) => [
  status,
  body?.errors?.[0]?.code,
];
const QUARANTINED = [403, 'merchant_quarantined'];
const post = (client: Client, type: string, attributes: object, relations = {}) =>
  client.send('POST', `/v2/${type}`, documentOf(type, attributes, relations));
const callAction = ({ type, id }: ResourceObject, action: string) =>
  api.client.send('PATCH', `/v2/${type}/${id}/${action}`);

describe('a merchant in quarantine', () => {
  it('makes no new payment by any route', async () => {
    const { client } = api;
    const parties = await makeParties(client);
    const [intent, hold, subscription, activeSubscription] = await Promise.all([
      makeDemand(client, {}, parties),
      makeAuthorisedPayment(client),
      makeSubscription(client, {}, parties),
      makeSubscription(client, { confirmed: true }, parties),
    ]);
    await waitUntilDrained(client);
    await operator.takeAction(merchantId, 'quarantine');
    const requests: Record<string, () => Promise<Answer>> = {
      intent: () => post(client, 'payment_demands', purchase, parties),
      charge: () => post(client, 'payment_demands', { ...purchase, confirmed: true }, parties),
      confirm: () => callAction(intent, 'confirm'),
      capture: () => post(client, 'capture_demands', {}, { payment_demand: hold }),
      subscription: () => post(client, 'payment_subscriptions', recurringPurchase, parties),
      'first charge': () => callAction(subscription, 'confirm'),
      change: () =>
        post(
          client,
          'subscription_changes',
          { amount_cents: 5000 },
          { payment_subscription: activeSubscription },
        ),
    };
    for (const [name, send] of Object.entries(requests)) {
      expect(codeOf(await send()), name).toEqual(QUARANTINED);
    }
    await operator.liftActions(merchantId);
    for (const [name, send] of Object.entries(requests)) {
      expect((await send()).status, name).toBeLessThan(300);
    }
  });

  it('accepts no card, in a mounted or open form, or over a link', async () => {
    const { stack, client } = api;
    const payment = await makeCardlessPayment(client);
    const key = stack.credentials.sandbox.publishable_key;
    const sealedCard = await sealCard(await mountForm(stack, payment.id, key));
    const link = await makeLink(client);
    const linkPayment = await beginPayment(stack, link);
    await operator.takeAction(merchantId, 'quarantine');
    const form = await callPay(stack, `/pay/${payment.id}?key=${key}`);
    expect([form.status, form.text.includes('merchant_held_back')]).toEqual([403, true]);
    expect((await callPay(stack, '/frame/v1/verify', sealedCard)).text).toContain('payment_closed');
    const page = await browse(stack, pathOf(link));
    expect([page.status, page.html.includes('is currently unavailable')]).toEqual([503, true]);
    expect((await browse(stack, linkPayment.path)).status).toBe(503);
    expect(await submitConfirmation(linkPayment)).toBe(410);
    await operator.liftActions(merchantId);
    expect((await browse(stack, pathOf(link))).status).toBe(200);
    await mountForm(stack, payment.id, key);
  });

  it('may read, refund, void and respond to disputes, and use the unaffected mode', async () => {
    const { client } = api;
    const [payment, hold, dispute] = await Promise.all([
      makeCapturedPayment(client),
      makeAuthorisedPayment(client),
      makeDispute(client),
    ]);
    await operator.takeAction(merchantId, 'quarantine');
    const refund = await client.make(
      'refund_demands',
      { reason: 'duplicate_charge' },
      { payment_demand: payment },
    );
    expect((await waitForOutcome(client, refund.id, 'refund_demands')).attributes.status).toBe(
      'succeeded',
    );
    expect((await callAction(hold, 'void')).status).toBe(200);
    expect((await callAction(dispute, 'accept')).status).toBe(200);
    expect((await client.get('/v2/customers')).status).toBe(200);
    expect((await post(api.live, 'payment_demands', purchase)).status).toBe(201);
  });

  it('sends nothing that was confirmed before the quarantine and not sent yet', async () => {
    const parties = await makeParties(api.client);
    await operator.takeAction(merchantId, 'quarantine');
    const payment: Row = {
      ...duePayment(merchantId, clock.now()),
      ...{ purchase_reference: 'order-1', purchase_kind: 'order' },
      payer_id: parties.payer?.id as string,
      payment_method_id: parties.payment_method?.id as string,
      billing_address_id: parties.billing_address?.id as string,
    };
    const { db } = api.fixtures;
    await insertRows(db, await loadCatalog(db), 'payment_demands', [payment]);
    clock.advance(1);
    const failedPayment = await waitForOutcome(api.client, payment.id as string);
    expect(failedPayment.attributes).toMatchObject({
      status: 'failed',
      failure_reason: 'merchant_held_back',
    });
    await operator.liftActions(merchantId);
    expect((await callAction(failedPayment, 'confirm')).status).toBe(200);
    expect((await waitForOutcome(api.client, failedPayment.id)).attributes.status).toBe(
      'succeeded',
    );
  });

  it('takes effect after running claims, and before all later ones', async () => {
    await using db = openDatabase({ url: api.stack.databaseUrl, connections_max: 3 });
    const row: Row = { merchant_id: merchantId, mode: 'sandbox' };
    const isStopped = (tx: Db) => filterStopped(tx, [row]).then((rows) => rows.has(row));
    const sql = `select 1 from pg_stat_activity
      where datname = current_database() and wait_event = 'advisory'`;
    const waitForWaiter = () =>
      eventually(
        () => db.query(sql, []),
        (waiters) => waiters.length > 0,
      );
    const pendingActions: Promise<unknown>[] = [];
    await db.transaction(async (tx) => {
      expect(await isStopped(tx)).toBe(false);
      pendingActions.push(operator.takeAction(merchantId, 'quarantine'));
      expect(await waitForWaiter()).not.toEqual([]);
      expect(await isStopped(tx)).toBe(false);
    });
    await Promise.all(pendingActions);
    expect(await db.transaction(isStopped)).toBe(true);
    await operator.liftActions(merchantId);
    const pendingChecks: Promise<boolean>[] = [];
    await db.transaction(async (tx) => {
      await lockMerchantStatus(tx, merchantId);
      pendingChecks.push(db.transaction(isStopped));
      expect(await waitForWaiter()).not.toEqual([]);
      await tx.query(
        `insert into merchant_punitive_actions
           (merchant_id, mode, id, action, status, created_at, updated_at)
         values ($1, 'sandbox', gen_random_uuid(), 'quarantine', 'in_force', now(), now())`,
        [merchantId],
      );
    });
    expect(await Promise.all(pendingChecks)).toEqual([true]);
  });

  it('defers its subscriptions; then each missed period is charged', async () => {
    const monthly = { amount_cents: 3000, billing_period: 'one_month' };
    const story = await startStory(api.client, clock, '2027-01-10 10:00', monthly);
    await story.expectChanges(firstChargeChanges('2027-01-10 10:00 first 3000'));
    await operator.takeAction(merchantId, 'quarantine');
    await story.at('2027-02-12 10:00');
    await story.at('2027-03-12 10:00');
    await operator.liftActions(merchantId);
    const charges = Array(2).fill('2027-03-12 10:00 renewal 3000 succeeded');
    const events = [renewalChanges(''), renewalChanges('')].flatMap(
      (chapter) => chapter.events ?? [],
    );
    await story.expectChanges({ charges, events, subscription: { status: 'active' } });
    await story.callAction('cancel');
  });

  it('gets an alert with the reason, and one for the end; a repeated request counts once', async () => {
    const countBefore = (await listAlerts()).length;
    const body = { reason: 'Complaints of payers', action: 'quarantine', modes: ['sandbox'] };
    const path = `/merchants/${merchantId}/measures`;
    for (const _ of [1, 2]) {
      expect((await operator.send('POST', path, body, 'the same')).status).toBe(204);
    }
    const otherReason = { ...body, reason: 'Something else' };
    const otherMode = { ...body, modes: ['live'] };
    for (const otherBody of [otherReason, otherMode])
      expect((await operator.send('POST', path, otherBody, 'the same')).status).toBe(409);
    // An action that is in force already is not taken again.
    expect((await operator.send('POST', path, body)).status).toBe(204);
    await operator.liftActions(merchantId);
    await operator.liftActions(merchantId);
    const newCodes = (await listAlerts())
      .slice(countBefore)
      .map(({ attributes }) => attributes.code);
    expect(newCodes).toEqual(['merchant_quarantined', 'merchant_released']);
    const enforcementAction = await newestOf(api.client, 'merchant_punitive_actions');
    expect(enforcementAction.attributes).toMatchObject({
      status: 'lifted',
      reason: 'Complaints of payers',
    });
  });
});

const listAlerts = async (): Promise<ResourceObject[]> =>
  (await api.client.get('/v2/account_alerts?sort=created_at,id&page[size]=200')).body.data;

describe('a banned merchant', () => {
  it('may read its payments and the reason of its ban, in both modes, and nothing else', async () => {
    const payment = await makeCapturedPayment(api.client);
    await operator.takeAction(merchantId, 'ban');
    for (const client of [api.client, api.live]) {
      for (const type of ['payment_demands', 'refund_demands', 'account_alerts', 'merchants']) {
        expect((await client.get(`/v2/${type}`)).status, type).toBe(200);
      }
      for (const type of ['customers', 'events', 'merchant_tokens']) {
        expect(codeOf(await client.get(`/v2/${type}`)), type).toEqual([403, 'merchant_banned']);
      }
    }
    const { id: merchant_id } = await api.fixtures.getDemoMerchant();
    const scopeHeaders = { 'florin-merchant': merchant_id, 'florin-mode': 'sandbox' };
    const ownBrowser = await signIn(api.stack.baseUrl, api.stack.credentials.account);
    const fetchFromDashboard = (path: string) =>
      ownBrowser.get(`/dashboard/api/${path}`, scopeHeaders);
    expect((await fetchFromDashboard('exports/payment_demands.csv')).status).toBe(200);
    for (const path of ['exports/customers.csv', 'audit_entries'])
      expect(codeOf(await fetchFromDashboard(path)), path).toEqual([403, 'merchant_banned']);
    const refund = { reason: 'duplicate_charge' };
    expect(
      codeOf(await post(api.client, 'refund_demands', refund, { payment_demand: payment })),
    ).toEqual([403, 'merchant_banned']);
    await operator.liftActions(merchantId);
    expect(
      (await post(api.client, 'refund_demands', refund, { payment_demand: payment })).status,
    ).toBe(201);
  });
});

describe('a merchant that is not approved', () => {
  it('has the sandbox, and live mode from the approval on', async () => {
    const newMerchant = await api.fixtures.makeMerchant({ active_at: null });
    const [sandbox, live] = [
      api.as(await newMerchant.makeKey()),
      api.as(await newMerchant.makeKey({ mode: 'live' })),
    ];
    expect((await post(sandbox, 'payment_demands', purchase)).status).toBe(201);
    expect(codeOf(await post(live, 'payment_demands', purchase))).toEqual([
      403,
      'merchant_not_approved',
    ]);
    const approve = () =>
      operator.send('POST', `/merchants/${newMerchant.id}/approval`, { reason: 'All is in order' });
    expect(codeOf(await approve())).toEqual([405, 'invalid_state']);
    await api.fixtures.db.query('update merchants set submitted_at = now() where id = $1', [
      newMerchant.id,
    ]);
    expect((await approve()).status).toBe(204);
    expect((await post(live, 'payment_demands', purchase)).status).toBe(201);
  });
});
