import type { NetworkCounts } from '@florin/contract/protocol/network.ts';
import { startServer } from '@florin/dev-env/parts.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMPLETION_SECONDS } from '../../src/features/payment-links/decide.ts';
import { openDatabase } from '../../src/platform/database/db.ts';
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
  type PageAnswer,
  pageKeyOf,
  pathOf,
  payerDetails,
  submitConfirmation,
} from '../support/link-visit.ts';
import {
  eventually,
  makeCustomer,
  makeLink,
  paymentLink,
  waitForOutcome,
} from '../support/make.ts';
import { rawRequest } from '../support/raw-request.ts';
import { simulateLive } from '../support/simulated-live.ts';

const clock = createClockAhead();
const api = useOwnStack({ config: { clock }, processors: simulateLive() });
const cleanup = new AsyncDisposableStack();
/** Pay origins of two servers that share a database. */
let servers: readonly [FormServer, FormServer];
beforeAll(async () => {
  const { dataDir, vaultSocket: socketPath, simulatorUrl, databaseUrl, ...stack } = api.stack;
  const { vaultDatabaseUrl, payUrl } = stack;
  const wiring = { dataDir, socketPath, simulatorUrl, databaseUrl, vaultDatabaseUrl };
  const secondServer = cleanup.use(
    await startServer({ port: 0, ...wiring }, { clock }, { processors: simulateLive() }),
  );
  servers = [{ payUrl }, { payUrl: secondServer.pay_url }];
});
afterAll(() => cleanup.disposeAsync());

const RECURRING = { billing_period: 'one_month' };
const makeOwnLink = (attributes: object = {}): Promise<ResourceObject> =>
  makeLink(api.client, attributes);
const reload = ({ id }: ResourceObject) => api.client.fetch('payment_links', id);

const countApprovals = async (): Promise<number> => {
  const response = await fetch(`${api.stack.simulatorUrl}/v1/books`);
  return ((await response.json()) as NetworkCounts).approved;
};

/** Records that a link has created. */
async function listRecordsOf({ id }: ResourceObject, type: string): Promise<ResourceObject[]> {
  return (await api.client.get(`/v2/payment_links/${id}/relationships/${type}`)).body.data;
}

async function beginVerifiedPayment(
  link: ResourceObject,
  card?: string,
  server = servers[0],
): Promise<LinkPayment> {
  const linkPayment = await beginPayment(server, link);
  expect((await enterCard(linkPayment, card)).result).toBe('verified');
  return linkPayment;
}

describe('a link of a customer', () => {
  const open = async (link: ResourceObject): Promise<string> => {
    const { status, headers } = await browse(servers[0], pathOf(link));
    expect(status).toBe(303);
    return headers.get('location') ?? '';
  };
  const browseHead = (link: ResourceObject) => {
    const { payUrl } = servers[0];
    const headers = { host: new URL(payUrl).host };
    return rawRequest(payUrl, { method: 'HEAD', path: pathOf(link), headers });
  };
  const countTries = async (): Promise<unknown> => {
    await using db = openDatabase({ url: api.stack.databaseUrl, connections_max: 1 });
    return (await db.query('select sum(tries) as tries from card_tries', []))[0]?.tries;
  };
  const payAt = async (path: string): Promise<LinkPayment> => {
    const linkPayment = await openPaymentPage(servers[0], path);
    expect((await enterCard(linkPayment)).result).toBe('verified');
    expect(await submitConfirmation(linkPayment)).toBe(200);
    return linkPayment;
  };
  const makeCustomerLink = async (attributes: object = {}) => {
    const customer = await makeCustomer(api.client, { email: 'lovelace@example.com' });
    const link = await api.client.make(
      'payment_links',
      { ...paymentLink, ...attributes },
      { customer },
    );
    return { customer, link };
  };

  it('leads to the card at once, and the customer pays', async () => {
    const { customer, link } = await makeCustomerLink();
    const path = await open(link);
    expect((await browse(servers[0], path)).html).not.toContain(`href="${pathOf(link)}"`);
    const { payment_id } = await payAt(path);
    const { attributes, relationships } = await waitForOutcome(api.client, payment_id);
    expect(attributes.status).toBe('succeeded');
    expect(relationships.payer?.data).toEqual({ type: 'customers', id: customer.id });
    const filter = 'filter[email]=lovelace@example.com';
    expect((await api.client.get(`/v2/customers?${filter}`)).body.data).toHaveLength(1);
  });

  it('has one payment for all visits, until that one is paid or canceled', async () => {
    const { link } = await makeCustomerLink();
    const [first, second] = await Promise.all([open(link), open(link)]);
    expect([second, await open(link)]).toEqual([first, first]);
    const { payment_id } = await openPaymentPage(servers[0], first);
    await api.client.send('PATCH', `/v2/payment_demands/${payment_id}/cancel`);
    const next = await open(link);
    expect(next).not.toBe(first);
    const { payment_id: paid_id } = await payAt(next);
    await waitForOutcome(api.client, paid_id);
    expect(await open(link)).not.toBe(next);
    expect(await listRecordsOf(link, 'payment_demands')).toHaveLength(3);
  });

  it('begins nothing for HEAD, and leads to the payment that a visit has begun', async () => {
    const { link } = await makeCustomerLink();
    expect((await browseHead(link)).status).toBe(200);
    expect(await listRecordsOf(link, 'payment_demands')).toEqual([]);
    const path = await open(link);
    expect((await browseHead(link)).headers.get('location')).toBe(path);
    expect(await listRecordsOf(link, 'payment_demands')).toHaveLength(1);
  });

  it('counts a visit as a start only if it begins a payment', async () => {
    const { link } = await makeCustomerLink();
    const path = await open(link);
    const tries = await countTries();
    expect([await open(link), await open(link)]).toEqual([path, path]);
    expect(await countTries()).toBe(tries);
  });

  it('starts a subscription of the customer', async () => {
    const { customer, link } = await makeCustomerLink(RECURRING);
    const { payment_id } = await openPaymentPage(servers[0], await open(link));
    const subscription = await api.client.fetch('payment_subscriptions', payment_id);
    expect(subscription.relationships.payer?.data).toMatchObject({ id: customer.id });
  });

  it('begins nothing after its end', async () => {
    const { link } = await makeCustomerLink();
    await api.client.send('PATCH', `/v2/payment_links/${link.id}/expire`);
    expect((await browse(servers[0], pathOf(link))).status).toBe(410);
    expect((await browse(servers[0], pathOf(link), payerDetails)).status).toBe(410);
    expect(await listRecordsOf(link, 'payment_demands')).toEqual([]);
  });
});

describe('a payment over a link', () => {
  it('has a customer with the entered details, is charged once, and counted', async () => {
    const link = await makeOwnLink({ purchase_reference: 'market', email_receipt: false });
    const linkPayment = await beginVerifiedPayment(link);
    expect(await submitConfirmation(linkPayment)).toBe(200);
    const { attributes, relationships } = await waitForOutcome(api.client, linkPayment.payment_id);
    expect(attributes).toMatchObject({
      status: 'succeeded',
      amount_cents: 2500,
      description: 'A dozen roses',
      email_receipt: false,
      line_items: [{ name: 'A dozen roses', quantity: 1, amount_cents: 2500 }],
      purchase_reference: expect.stringMatching(/^market-[0-9a-f]{12}$/),
    });
    expect(relationships.payment_link?.data).toEqual({ type: 'payment_links', id: link.id });
    const payer = relationships.payer?.data as { id: string };
    expect((await api.client.fetch('customers', payer.id)).attributes).toMatchObject(payerDetails);
    expect((await reload(link)).attributes).toMatchObject({ status: 'active', uses_count: 1 });
    const { html } = await browse(linkPayment.server, linkPayment.path);
    expect(html).toContain('your payment was approved');
    expect(html).toContain(attributes.purchase_reference);
    expect(await submitConfirmation(linkPayment)).toBe(200);
    expect(await listRecordsOf(link, 'payment_demands')).toHaveLength(1);
  });

  it('that recurs starts a subscription, which is one use', async () => {
    const link = await makeOwnLink(RECURRING);
    const linkPayment = await beginVerifiedPayment(link);
    expect(await submitConfirmation(linkPayment)).toBe(200);
    const { attributes } = await eventually(
      () => api.client.fetch('payment_subscriptions', linkPayment.payment_id),
      (subscription) => subscription.attributes.status === 'active',
    );
    expect(attributes).toMatchObject({ ...RECURRING, confirmed: true, amount_cents: 2500 });
    const [subscriptions, charges] = [
      await listRecordsOf(link, 'payment_subscriptions'),
      await listRecordsOf(link, 'payment_demands'),
    ];
    expect([subscriptions.map(({ id }) => id), charges.length]).toEqual([
      [linkPayment.payment_id],
      1,
    ]);
    expect((await reload(link)).attributes.uses_count).toBe(1);
    expect((await browse(linkPayment.server, linkPayment.path)).html).toContain(
      'every month until you cancel',
    );
  });

  it.each([{}, RECURRING])(
    'that is declined can be retried with another card (%j)',
    async (linkAttributes) => {
      const link = await makeOwnLink({ ...linkAttributes, uses_max: 1 });
      const linkPayment = await beginVerifiedPayment(link, 'generic_decline');
      expect(await submitConfirmation(linkPayment)).toBe(200);
      await eventually(
        () => listRecordsOf(link, 'payment_demands'),
        ([charge]) => charge?.attributes.status === 'failed',
      );
      expect((await reload(link)).attributes.uses_count).toBe(0);
      expect(await submitConfirmation(linkPayment)).toBe(409);
      expect((await enterCard(await openPaymentPage(servers[0], linkPayment.path))).result).toBe(
        'verified',
      );
      expect(await submitConfirmation(linkPayment)).toBe(200);
      const { attributes } = await eventually(
        () => reload(link),
        (link) => link.attributes.status === 'used_up',
      );
      expect([attributes.uses_count, attributes.ended_at]).toEqual([1, expect.any(String)]);
      expect(await listRecordsOf(link, 'payment_demands')).toHaveLength(1);
    },
  );

  it('continues to the merchant’s address, with the paid amount', async () => {
    const success_url = 'http://localhost:3000/thanks?from=florin';
    const linkPayment = await beginPayment(servers[0], await makeOwnLink({ success_url }));
    const { html } = await browse(linkPayment.server, linkPayment.path);
    const nextUrl = `${success_url}&amp;payment_demand=${linkPayment.payment_id}`;
    expect(html).toContain(`data-onward="${nextUrl}"`);
  });
});

describe('a payer with the email address of a customer', () => {
  it('learns nothing of the customer, uses none of the cards, and changes nothing', async () => {
    const email = 'known@example.com';
    const known = await makeCustomer(api.client, { email, name: 'Known Knuth' });
    const saved = await api.client.make(
      'payment_methods',
      {
        card_pan_token: 'pan_test_visa',
        card_cvv_token: 'cvv_test',
        expiry_month: 12,
        expiry_year: 2031,
      },
      { customer: known },
    );
    const before = (await api.client.fetch('customers', known.id)).attributes;
    const link = await makeOwnLink();
    const visit = async (typed: string): Promise<PageAnswer[]> => {
      const page_key = pageKeyOf(await browse(servers[0], pathOf(link)));
      const begun = await browse(servers[0], pathOf(link), { email: typed, name: 'Eve', page_key });
      return [begun, await browse(servers[0], begun.headers.get('location') ?? '')];
    };
    const pagesOf = async (typed: string) =>
      (await visit(typed)).map(({ status, html }) => [
        status,
        html.replaceAll(typed, 'TYPED').replace(/[\w-]{20,}(?:\.[\w-]+)*/g, 'KEY'),
      ]);
    const unknown = await pagesOf('nobody@example.com');
    for (const typed of [email, 'KNOWN@example.com']) {
      const pages = await pagesOf(typed);
      expect(pages).toEqual(unknown);
      expect(JSON.stringify(pages)).not.toMatch(/Knuth|Visa •|0004/);
    }
    expect((await api.client.fetch('customers', known.id)).attributes).toEqual(before);
    const payments = await listRecordsOf(link, 'payment_demands');
    const payers = payments.map(({ relationships }) => {
      const payer = relationships.payer?.data as { readonly id: string };
      return payer.id;
    });
    expect(new Set(payers).size).toBe(3);
    expect(payers).not.toContain(known.id);
    const cards = await api.client.get(`/v2/customers/${known.id}/relationships/payment_methods`);
    expect(cards.body.data.map(({ id }: ResourceObject) => id)).toEqual([saved.id]);
  });
});

describe('a page that is submitted twice', () => {
  it('concurrently to two servers, or again later, starts one payment', async () => {
    const link = await makeOwnLink();
    const page_key = pageKeyOf(await browse(servers[0], pathOf(link)));
    const send = async (server: FormServer, form: object = {}) => {
      const { headers } = await browse(server, pathOf(link), {
        ...payerDetails,
        page_key,
        ...form,
      });
      return headers.get('location');
    };
    const locations = await Promise.all([...servers, ...servers].map((server) => send(server)));
    expect(new Set([...locations, await send(servers[0])]).size).toBe(1);
    expect(await listRecordsOf(link, 'payment_demands')).toHaveLength(1);
    expect(await send(servers[1], { name: 'Hopper' })).not.toBe(locations[0]);
    expect(await listRecordsOf(link, 'payment_demands')).toHaveLength(2);
  });

  it('with invalid details is shown again with the problems; nothing is created', async () => {
    const link = await makeOwnLink();
    const form = { email: 'grace', name: '', page_key: 'k' };
    const { status, html } = await browse(servers[0], pathOf(link), form);
    expect(status).toBe(422);
    expect(html).toContain('Enter an email address');
    expect(html).toContain('Enter your name.');
    expect(html).toContain('value="grace"');
    const card = await browse(servers[0], pathOf(link), {
      ...payerDetails,
      name: '4005519200000004',
    });
    expect([card.status, card.html.includes('4005')]).toEqual([422, false]);
    expect(await listRecordsOf(link, 'payment_demands')).toEqual([]);
  });
});

describe('the last uses of a link', () => {
  it.each([
    [{}, 5],
    [RECURRING, 3],
  ])(
    'are charged to exactly that many of concurrent payers at two servers (%j, %i)',
    async (linkAttributes, payerCount) => {
      const link = await makeOwnLink({ ...linkAttributes, uses_max: 2 });
      const approvalsBefore = await countApprovals();
      const linkPayments = await Promise.all(
        Array.from({ length: payerCount }, (_, nth) =>
          beginVerifiedPayment(link, 'visa', servers[nth % 2]),
        ),
      );
      const statuses = await Promise.all(linkPayments.map(submitConfirmation));
      expect(statuses.toSorted()).toEqual([200, 200, ...Array(payerCount - 2).fill(410)]);
      const latePayment = linkPayments[statuses.indexOf(410)] as LinkPayment;
      for (const path of [pathOf(link), latePayment.path]) {
        // All uses are reserved, so the page shows no form.
        const page = await browse(latePayment.server, path);
        expect([page.status, page.html]).toEqual([
          410,
          expect.stringContaining('no longer available'),
        ]);
      }
      await eventually(
        () => reload(link),
        ({ attributes }) => attributes.status === 'used_up',
      );
      expect((await reload(link)).attributes.uses_count).toBe(2);
      expect((await countApprovals()) - approvalsBefore).toBe(2);
      expect((await browse(servers[0], pathOf(link))).status).toBe(410);
      const answer = await api.client.send('PATCH', `/v2/payment_links/${link.id}`, {
        data: { type: 'payment_links', id: link.id, attributes: { uses_max: 3 } },
      });
      expect(answer.body.data.attributes).toMatchObject({ status: 'active', ended_at: null });
      expect(await submitConfirmation(latePayment)).toBe(200);
      await eventually(
        () => reload(link),
        ({ attributes }) => attributes.uses_count === 3,
      );
      expect((await countApprovals()) - approvalsBefore).toBe(3);
    },
  );
});

describe('an expired link', () => {
  const timeAfter = (count: number): string => instantText(clock.now() + seconds(count));

  it('accepts no new payer, and lets started payments finish for a while', async () => {
    const link = await makeOwnLink({ expires_at: timeAfter(60) });
    const [earlyPayment, latePayment] = [
      await beginVerifiedPayment(link),
      await beginVerifiedPayment(link),
    ];
    clock.advance(61);
    const page = await browse(servers[0], pathOf(link));
    expect([page.status, page.html]).toEqual([410, expect.stringContaining('has expired')]);
    const { status } = await browse(servers[0], pathOf(link), { ...payerDetails, page_key: '' });
    expect(status).toBe(410);
    expect(await submitConfirmation(earlyPayment)).toBe(200);
    await eventually(
      () => reload(link),
      ({ attributes }) => attributes.status === 'expired' && attributes.uses_count === 1,
    );
    clock.advance(COMPLETION_SECONDS);
    expect(await submitConfirmation(latePayment)).toBe(410);
    expect((await waitForOutcome(api.client, earlyPayment.payment_id)).attributes.status).toBe(
      'succeeded',
    );
  });
});

describe('protected data', () => {
  it('are 404: links and payments that do not exist, or of others', async () => {
    const [link, otherLink] = [await makeOwnLink(), await makeOwnLink()];
    const linkPayment = await beginPayment(servers[0], link);
    const [, signedPayment = ''] = linkPayment.path.split(`${pathOf(link)}/`);
    const forgedPath = `${linkPayment.payment_id}.${'x'.repeat(43)}`;
    const paths = [
      `/l/${'x'.repeat(22)}`,
      `/l/${link.id}`,
      `${pathOf(link)}/${forgedPath}`,
      `${pathOf(link)}/${linkPayment.payment_id}`,
      `${pathOf(otherLink)}/${signedPayment}`,
    ];
    for (const path of paths) {
      const { status, html } = await browse(servers[0], path);
      expect([path, status, html]).toEqual([path, 404, expect.stringContaining('not found')]);
    }
    expect(
      await submitConfirmation({ ...linkPayment, path: `${pathOf(link)}/${forgedPath}` }),
    ).toBe(404);
  });

  it('include a form with the form token of another payment, a forged or an expired one', async () => {
    const link = await makeOwnLink();
    const [linkPayment, otherPayment] = [
      await beginPayment(servers[0], link),
      await beginPayment(servers[0], link),
    ];
    const forgedToken = linkPayment.grant.replace(/.$/, (lastCharacter) =>
      lastCharacter === 'A' ? 'E' : 'A',
    );
    const liveToken = linkPayment.grant.replace('ept_sandbox', 'ept_live');
    const openForm = async (payment: string, formToken: string) =>
      (await callPay(servers[0], `/pay/${payment}?key=${formToken}`)).status;
    expect(await openForm(linkPayment.payment_id, linkPayment.grant)).toBe(200);
    for (const formToken of [otherPayment.grant, forgedToken, liveToken, '']) {
      expect(await openForm(linkPayment.payment_id, formToken)).toBe(404);
    }
    clock.advance(60 * 60 + 1);
    expect(await openForm(linkPayment.payment_id, linkPayment.grant)).toBe(404);
  });

  it('include more payments than one address may start in an hour', async () => {
    const link = await makeLink(api.live);
    const requestPayment = async () =>
      (await browse(servers[0], pathOf(link), payerDetails)).status;
    const statuses: number[] = [];
    while (statuses.length <= 30) statuses.push(await requestPayment());
    expect(statuses).toEqual([...Array(30).fill(303), 429]);
    const { html, headers } = await browse(servers[1], pathOf(link), payerDetails);
    expect(html).toContain('Too many attempts');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    clock.advance(60 * 60);
    expect(await requestPayment()).toBe(303);
  });
});
