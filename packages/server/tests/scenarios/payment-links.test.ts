import type { NetworkCounts } from '@florin/contract/protocol/network.ts';
import { startServer } from '@florin/dev-env/parts.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMPLETION_SECONDS } from '../../src/features/payment-links/decide.ts';
import { instantText, seconds } from '../../src/platform/time/clock.ts';
import { useOwnStack } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import { callPay, type FormServer } from '../support/form.ts';
import {
  beginPayment,
  browse,
  enterCard,
  type LinkPayment,
  openPaymentPage,
  pageKeyOf,
  pathOf,
  payerDetails,
  submitConfirmation,
} from '../support/link-visit.ts';
import { eventually, makeLink, waitForOutcome } from '../support/make.ts';
import { simulateLive } from '../support/simulated-live.ts';

const clock = createClockAhead();
const api = useOwnStack({ config: { clock }, processors: simulateLive() });
const cleanup = new AsyncDisposableStack();
/** Pay origins of two servers that share a database. */
let places: readonly [FormServer, FormServer];
beforeAll(async () => {
  const { dataDir, vaultSocket: socketPath, simulatorUrl, databaseUrl, ...rest } = api.stack;
  const { vaultDatabaseUrl, payUrl } = rest;
  const parts = { dataDir, socketPath, simulatorUrl, databaseUrl, vaultDatabaseUrl };
  const second = cleanup.use(
    await startServer({ port: 0, ...parts }, { clock }, { processors: simulateLive() }),
  );
  places = [{ payUrl }, { payUrl: second.pay_url }];
});
afterAll(() => cleanup.disposeAsync());

const recurring = { billing_period: 'one_month' };
const makeOwnLink = (attributes: object = {}): Promise<ResourceObject> =>
  makeLink(api.client, attributes);
const reload = ({ id }: ResourceObject) => api.client.fetch('payment_links', id);

const countApprovals = async (): Promise<number> => {
  const response = await fetch(`${api.stack.simulatorUrl}/v1/books`);
  return ((await response.json()) as NetworkCounts).approved;
};

/** Records that a link has created. */
async function madeOver({ id }: ResourceObject, type: string): Promise<ResourceObject[]> {
  return (await api.client.get(`/v2/payment_links/${id}/relationships/${type}`)).body.data;
}

async function readyOver(
  one: ResourceObject,
  card?: string,
  processPlace = places[0],
): Promise<LinkPayment> {
  const begun = await beginPayment(processPlace, one);
  expect((await enterCard(begun, card)).result).toBe('verified');
  return begun;
}

describe('a payment over a link', () => {
  it('has a customer with the entered details, is charged once, and counted', async () => {
    const one = await makeOwnLink({ purchase_reference: 'market', email_receipt: false });
    const begun = await readyOver(one);
    expect(await submitConfirmation(begun)).toBe(200);
    const { attributes, relationships } = await waitForOutcome(api.client, begun.payment_id);
    expect(attributes).toMatchObject({
      status: 'succeeded',
      amount_cents: 2500,
      description: 'A dozen roses',
      email_receipt: false,
      line_items: [{ name: 'A dozen roses', quantity: 1, amount_cents: 2500 }],
      purchase_reference: expect.stringMatching(/^market-[0-9a-f]{12}$/),
    });
    expect(relationships.payment_link?.data).toEqual({ type: 'payment_links', id: one.id });
    const payer = relationships.payer?.data as { id: string };
    expect((await api.client.fetch('customers', payer.id)).attributes).toMatchObject(payerDetails);
    expect((await reload(one)).attributes).toMatchObject({ status: 'active', uses_count: 1 });
    const { html } = await browse(begun.server, begun.path);
    expect(html).toContain('your payment was approved');
    expect(html).toContain(attributes.purchase_reference);
    expect(await submitConfirmation(begun)).toBe(200);
    expect(await madeOver(one, 'payment_demands')).toHaveLength(1);
  });

  it('that recurs starts a subscription, which is one use', async () => {
    const one = await makeOwnLink(recurring);
    const begun = await readyOver(one);
    expect(await submitConfirmation(begun)).toBe(200);
    const { attributes } = await eventually(
      () => api.client.fetch('payment_subscriptions', begun.payment_id),
      (now) => now.attributes.status === 'active',
    );
    expect(attributes).toMatchObject({ ...recurring, confirmed: true, amount_cents: 2500 });
    const [subscriptions, charges] = [
      await madeOver(one, 'payment_subscriptions'),
      await madeOver(one, 'payment_demands'),
    ];
    expect([subscriptions.map(({ id }) => id), charges.length]).toEqual([[begun.payment_id], 1]);
    expect((await reload(one)).attributes.uses_count).toBe(1);
    expect((await browse(begun.server, begun.path)).html).toContain('every month until you cancel');
  });

  it.each([{}, recurring])(
    'that is declined can be retried with another card (%j)',
    async (how) => {
      const one = await makeOwnLink({ ...how, uses_max: 1 });
      const begun = await readyOver(one, 'generic_decline');
      expect(await submitConfirmation(begun)).toBe(200);
      await eventually(
        () => madeOver(one, 'payment_demands'),
        ([charge]) => charge?.attributes.status === 'failed',
      );
      expect((await reload(one)).attributes.uses_count).toBe(0);
      expect(await submitConfirmation(begun)).toBe(409);
      expect((await enterCard(await openPaymentPage(places[0], begun.path))).result).toBe(
        'verified',
      );
      expect(await submitConfirmation(begun)).toBe(200);
      const { attributes } = await eventually(
        () => reload(one),
        (now) => now.attributes.status === 'used_up',
      );
      expect([attributes.uses_count, attributes.ended_at]).toEqual([1, expect.any(String)]);
      expect(await madeOver(one, 'payment_demands')).toHaveLength(1);
    },
  );

  it('continues to the merchant’s address, with the paid amount', async () => {
    const success_url = 'http://localhost:3000/thanks?from=florin';
    const begun = await beginPayment(places[0], await makeOwnLink({ success_url }));
    const { html } = await browse(begun.server, begun.path);
    const onward = `${success_url}&amp;payment_demand=${begun.payment_id}`;
    expect(html).toContain(`data-onward="${onward}"`);
  });
});

describe('a page that is submitted twice', () => {
  it('concurrently to two servers, or again later, starts one payment', async () => {
    const one = await makeOwnLink();
    const page_key = pageKeyOf(await browse(places[0], pathOf(one)));
    const send = async (place: FormServer, form: object = {}) => {
      const { headers } = await browse(place, pathOf(one), { ...payerDetails, page_key, ...form });
      return headers.get('location');
    };
    const twins = await Promise.all([...places, ...places].map((place) => send(place)));
    expect(new Set([...twins, await send(places[0])]).size).toBe(1);
    expect(await madeOver(one, 'payment_demands')).toHaveLength(1);
    expect(await send(places[1], { name: 'Hopper' })).not.toBe(twins[0]);
    expect(await madeOver(one, 'payment_demands')).toHaveLength(2);
  });

  it('with invalid details is shown again with the problems; nothing is created', async () => {
    const one = await makeOwnLink();
    const sent = { email: 'grace', name: '', page_key: 'k' };
    const { status, html } = await browse(places[0], pathOf(one), sent);
    expect(status).toBe(422);
    expect(html).toContain('Enter an e-mail address');
    expect(html).toContain('Enter your name.');
    expect(html).toContain('value="grace"');
    const card = await browse(places[0], pathOf(one), {
      ...payerDetails,
      name: '4005519200000004',
    });
    expect([card.status, card.html.includes('4005')]).toEqual([422, false]);
    expect(await madeOver(one, 'payment_demands')).toEqual([]);
  });
});

describe('the last uses of a link', () => {
  it.each([
    [{}, 5],
    [recurring, 3],
  ])(
    'are charged to exactly that many of concurrent payers at two servers (%j, %i)',
    async (how, visitors) => {
      const one = await makeOwnLink({ ...how, uses_max: 2 });
      const before = await countApprovals();
      const begun = await Promise.all(
        Array.from({ length: visitors }, (_, nth) => readyOver(one, 'visa', places[nth % 2])),
      );
      const statuses = await Promise.all(begun.map(submitConfirmation));
      expect(statuses.toSorted()).toEqual([200, 200, ...Array(visitors - 2).fill(410)]);
      const late = begun[statuses.indexOf(410)] as LinkPayment;
      for (const path of [pathOf(one), late.path]) {
        // Paid or not, the uses are taken: nobody sees a useless form.
        const page = await browse(late.server, path);
        expect([page.status, page.html]).toEqual([
          410,
          expect.stringContaining('no longer available'),
        ]);
      }
      await eventually(
        () => reload(one),
        ({ attributes }) => attributes.status === 'used_up',
      );
      expect((await reload(one)).attributes.uses_count).toBe(2);
      expect((await countApprovals()) - before).toBe(2);
      expect((await browse(places[0], pathOf(one))).status).toBe(410);
      const answer = await api.client.send('PATCH', `/v2/payment_links/${one.id}`, {
        data: { type: 'payment_links', id: one.id, attributes: { uses_max: 3 } },
      });
      expect(answer.body.data.attributes).toMatchObject({ status: 'active', ended_at: null });
      expect(await submitConfirmation(late)).toBe(200);
      await eventually(
        () => reload(one),
        ({ attributes }) => attributes.uses_count === 3,
      );
      expect((await countApprovals()) - before).toBe(3);
    },
  );
});

describe('an expired link', () => {
  const inSeconds = (count: number): string => instantText(clock.now() + seconds(count));

  it('accepts no new payer, and lets started payments finish for a while', async () => {
    const one = await makeOwnLink({ expires_at: inSeconds(60) });
    const [early, late] = [await readyOver(one), await readyOver(one)];
    clock.advance(61);
    const page = await browse(places[0], pathOf(one));
    expect([page.status, page.html]).toEqual([410, expect.stringContaining('has expired')]);
    const { status } = await browse(places[0], pathOf(one), { ...payerDetails, page_key: '' });
    expect(status).toBe(410);
    expect(await submitConfirmation(early)).toBe(200);
    await eventually(
      () => reload(one),
      ({ attributes }) => attributes.status === 'expired' && attributes.uses_count === 1,
    );
    clock.advance(COMPLETION_SECONDS);
    expect(await submitConfirmation(late)).toBe(410);
    expect((await waitForOutcome(api.client, early.payment_id)).attributes.status).toBe(
      'succeeded',
    );
  });
});

describe('protected data', () => {
  it('are 404: links and payments that do not exist, or of others', async () => {
    const [one, other] = [await makeOwnLink(), await makeOwnLink()];
    const begun = await beginPayment(places[0], one);
    const [, name = ''] = begun.path.split(`${pathOf(one)}/`);
    const forged = `${begun.payment_id}.${'x'.repeat(43)}`;
    const paths = [
      `/l/${'x'.repeat(22)}`,
      `/l/${one.id}`,
      `${pathOf(one)}/${forged}`,
      `${pathOf(one)}/${begun.payment_id}`,
      `${pathOf(other)}/${name}`,
    ];
    for (const path of paths) {
      const { status, html } = await browse(places[0], path);
      expect([path, status, html]).toEqual([path, 404, expect.stringContaining('no such payment')]);
    }
    expect(await submitConfirmation({ ...begun, path: `${pathOf(one)}/${forged}` })).toBe(404);
  });

  it('include a form with the form token of another payment, a forged or an expired one', async () => {
    const one = await makeOwnLink();
    const [begun, other] = [await beginPayment(places[0], one), await beginPayment(places[0], one)];
    const forged = begun.grant.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'));
    const live = begun.grant.replace('ept_sandbox', 'ept_live');
    const open = async (payment: string, grant: string) =>
      (await callPay(places[0], `/pay/${payment}?key=${grant}`)).status;
    expect(await open(begun.payment_id, begun.grant)).toBe(200);
    for (const grant of [other.grant, forged, live, '']) {
      expect(await open(begun.payment_id, grant)).toBe(404);
    }
    clock.advance(60 * 60 + 1);
    expect(await open(begun.payment_id, begun.grant)).toBe(404);
  });

  it('include more payments than one address may start in an hour', async () => {
    const one = await makeLink(api.live);
    const beginPayment = async () => (await browse(places[0], pathOf(one), payerDetails)).status;
    const statuses: number[] = [];
    while (statuses.length <= 30) statuses.push(await beginPayment());
    expect(statuses).toEqual([...Array(30).fill(303), 429]);
    const { html, headers } = await browse(places[1], pathOf(one), payerDetails);
    expect(html).toContain('Too many attempts');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    clock.advance(60 * 60);
    expect(await beginPayment()).toBe(303);
  });
});
