import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { pruneEmails } from '../../src/features/emails/prune.ts';
import { type Clock, seconds, systemClock } from '../../src/platform/time/clock.ts';
import { useApi } from '../support/api.ts';
import type { Client, ResourceObject } from '../support/client.ts';
import {
  makeAuthorisedPayment,
  makeCapture,
  makeCapturedPayment,
  makeDemand,
  makeParties,
  makeSubscription,
  waitForEmails,
  waitForOutcome,
} from '../support/make.ts';
import {
  describeReads,
  describeRefusedMethods,
  errorsOf,
  patch,
} from '../support/resource-suite.ts';
import { advanceAndWait, DAY_SECONDS, daysUntil, makeClock } from '../support/sandbox-clocks.ts';

const api = useApi();
const type = 'emails';

/** Waits until no email about a payment is pending. Returns these emails. */
const waitForEmailsAbout = async (
  payment: ResourceObject,
  client: Client = api.client,
): Promise<ResourceObject[]> => {
  await client.get('/sandbox/drain?timeout=1');
  return waitForEmails(
    client,
    `filter[payment_demand]=${payment.id}`,
    (emails) =>
      emails.length > 0 && emails.every(({ attributes }) => attributes.status !== 'pending'),
  );
};

/** Creates a paid payment of a payer with these attributes. */
async function makePaymentBy(payer: object, attributes: object = {}): Promise<ResourceObject> {
  const parties = await makeParties(api.client);
  await patch(api, parties.payer as ResourceObject, payer);
  const { id } = await makeDemand(api.client, { confirmed: true, ...attributes }, parties);
  return waitForOutcome(api.client, id);
}

const fetchMerchant = async (): Promise<ResourceObject> =>
  (await api.client.get('/v2/merchants')).body.data[0];

describe('an email', () => {
  let createdEmail: Promise<ResourceObject> | undefined;
  const makeEmail = (): Promise<ResourceObject> => {
    createdEmail ??= makeCapturedPayment(api.client).then(
      async (payment) => (await waitForEmailsAbout(payment))[0] as ResourceObject,
    );
    return createdEmail;
  };
  describeReads(api, type, makeEmail, ['payment_subscription']);
  describeRefusedMethods(api, type);

  it('in the sandbox is stored for the merchant to read', async () => {
    const to_email = `${randomUUID()}@example.com`;
    const payment = await makePaymentBy(
      { email: to_email },
      { amount_cents: 2499, description: 'A mug' },
    );
    const [email, ...otherEmails] = await waitForEmailsAbout(payment);
    expect(otherEmails).toEqual([]);
    expect(email?.attributes).toMatchObject({
      kind: 'receipt',
      status: 'kept',
      to_email,
      locale: 'en',
      sent_at: null,
      failure_reason: null,
      text: expect.stringMatching(/You paid \$24\.99[\s\S]+Visa •••• /),
      html: expect.stringContaining('A mug'),
    });
    const stored = await api.fixtures.db.query('select text, html from letters where id = $1', [
      email?.id,
    ]);
    expect(stored).toEqual([{ text: null, html: null }]);
    for (const filter of [`to_email]=${to_email}`, `payment_demand.description]=A mug`]) {
      const { body } = await api.client.get(`/v2/emails?filter[${filter}&filter[kind]=receipt`);
      expect(body.data.map(({ id }: ResourceObject) => id)).toContain(email?.id);
    }
  });

  describe('under the old name of its type, `letters`', () => {
    it('is the same record, with the old name of its attempts', async () => {
      const { id, attributes } = await makeEmail();
      const { body } = await api.client.get(`/v2/letters/${id}?include=payment_demand`);
      expect(body.data).toMatchObject({ type: 'letters', id });
      const { tries_count, ...otherAttributes } = body.data.attributes;
      expect([otherAttributes, tries_count]).toEqual([attributes, attributes.attempts_count]);
      expect(body.data.links.self).toContain(`/v2/letters/${id}`);
      expect(body.included).toHaveLength(1);
    });

    it('is listed, filtered and has sparse fieldsets', async () => {
      const { id, attributes } = await makeEmail();
      const { body } = await api.client.get(
        `/v2/letters?filter[to_email]=${attributes.to_email}&fields[letters]=tries_count`,
      );
      expect(
        body.data.map((record: ResourceObject) => [record.id, record.attributes]),
      ).toContainEqual([id, { tries_count: attributes.attempts_count }]);
    });

    it('has a permission of its own', async () => {
      const demo = await api.fixtures.getDemoMerchant();
      const reader = api.as(await demo.makeKey({ permissions: ['consumer.letters.read'] }));
      expect((await reader.get('/v2/letters')).status).toBe(200);
      expect((await reader.get('/v2/emails')).status).toBe(403);
    });
  });

  it('has the language of its customer, and the time zone of the payer', async () => {
    const attributes = { payer_timezone: 'Asia/Tokyo' };
    const payment = await makePaymentBy({ locale: 'de' }, attributes);
    const [email] = await waitForEmailsAbout(payment);
    expect(email?.attributes.locale).toBe('de');
    expect(email?.attributes.subject).toMatch(/^Ihr Beleg von /);
    const dateFormat = new Intl.DateTimeFormat('de', { dateStyle: 'long', timeZone: 'Asia/Tokyo' });
    const { succeeded_at } = payment.attributes as { succeeded_at: string };
    expect(email?.attributes.text).toContain(`Datum: ${dateFormat.format(new Date(succeeded_at))}`);
  });
});

describe('an email past its retention', () => {
  const EMAIL_RETENTION_DAYS = 90;
  /** Longer than a year, so that the clock's year differs from the system's. */
  const AHEAD_DAYS = 400;
  const clockAfter = (days: number) => ({
    now: () => systemClock().now() + seconds(days * DAY_SECONDS),
  });
  const pruneAt = (clock: Clock): Promise<number> =>
    pruneEmails(
      { db: api.fixtures.db, clock, config: { email_retention_days: EMAIL_RETENTION_DAYS } },
      1,
    );
  /** Whether each email can still be fetched. */
  const areFetchable = async (
    emails: readonly (ResourceObject | undefined)[],
  ): Promise<boolean[]> =>
    Promise.all(
      emails.map(async (email) => (await api.client.get(`/v2/emails/${email?.id}`)).status === 200),
    );

  it("is pruned, in the sandbox by its customer's clock, which also dates it", async () => {
    const parties = await makeParties(api.client);
    const pay = async () => {
      const { id } = await makeDemand(api.client, { confirmed: true }, parties);
      const [email] = await waitForEmailsAbout(await waitForOutcome(api.client, id));
      return email;
    };
    const [earlyEmail, otherEmail] = await Promise.all([
      pay(),
      makeCapturedPayment(api.client).then(
        async (payment) => (await waitForEmailsAbout(payment))[0],
      ),
    ]);
    const clock = await makeClock(api.client, parties.payer as ResourceObject);
    await advanceAndWait(api.client, clock, AHEAD_DAYS * DAY_SECONDS);
    const lateEmail = await pay();
    const { status, created_at, text } = lateEmail?.attributes ?? {};
    expect([status, daysUntil(created_at)]).toEqual(['kept', AHEAD_DAYS]);
    expect(text).toMatch(`${new Date(created_at).getUTCFullYear()}`);
    while ((await pruneAt(clockAfter(0))) > 0);
    expect(await areFetchable([earlyEmail, lateEmail, otherEmail])).toEqual([false, true, true]);
    while ((await pruneAt(clockAfter(EMAIL_RETENTION_DAYS - 1))) > 0);
    expect(await areFetchable([lateEmail, otherEmail])).toEqual([true, true]);
    while ((await pruneAt(clockAfter(EMAIL_RETENTION_DAYS + 1))) > 0);
    expect(await areFetchable([lateEmail, otherEmail])).toEqual([false, false]);
  });
});

describe('a receipt', () => {
  it('is not sent to a payer who does not want one', async () => {
    const payment = await makeCapturedPayment(api.client, { email_receipt: false });
    const otherPayment = await makeCapturedPayment(api.client);
    expect(await waitForEmailsAbout(otherPayment)).toHaveLength(1);
    const { body } = await api.client.get(`/v2/emails?filter[payment_demand]=${payment.id}`);
    expect(body.data).toEqual([]);
  });

  it('of a hold is sent after the capture, for the captured amount', async () => {
    const payment = await makeAuthorisedPayment(api.client, { amount_cents: 5000 });
    const capture = await makeCapture(api.client, payment, { amount_cents: 1234 });
    await waitForOutcome(api.client, capture.id, 'capture_demands');
    const emails = await waitForEmailsAbout(payment);
    expect(emails.map(({ attributes }) => attributes.text)).toEqual([
      expect.stringContaining('You paid $12.34'),
    ]);
  });
});

describe('the receipt of a subscription’s charge', () => {
  it('goes to the address for notices, names the period, and links to the customer’s page', async () => {
    const { id } = await makeSubscription(
      api.client,
      { confirmed: true, subscription_notification_email: 'notices@example.com' },
      await makeParties(api.client),
    );
    await api.client.get('/sandbox/drain?timeout=1');
    const [email] = await waitForEmails(
      api.client,
      `filter[payment_subscription]=${id}&filter[kind]=receipt`,
      ([first]) => first?.attributes.status === 'kept',
    );
    expect(email?.attributes).toMatchObject({
      to_email: 'notices@example.com',
      text: expect.stringMatching(/^Period: /m),
      html: expect.stringMatching(/<a href="https?:[^"]+\/s\/[^"]+"[^>]+>Manage subscription<\/a>/),
    });
    // The link acts for the customer, which needs more than permission to read emails.
    const fullText = String(email?.attributes.text);
    const link = /\/s\/[\w-]+\.[\w-]+/.exec(fullText)?.[0] ?? '';
    expect(link.length).toBeGreaterThan(60);
    const demo = await api.fixtures.getDemoMerchant();
    const permissions = ['consumer.emails.read'];
    const reader = api.as(await demo.makeKey({ permissions }));
    const actorPermissions = [...permissions, 'transaction.payment_subscriptions.update'];
    const actor = api.as(await demo.makeKey({ permissions: actorPermissions }));
    const path = `/v2/emails/${email?.id}`;
    const listPath = `/v2/emails?filter[payment_subscription]=${id}`;
    for (const url of [path, listPath, listPath, listPath]) {
      const [readerAnswer, actorAnswer] = await Promise.all([reader.get(url), actor.get(url)]);
      expect(JSON.stringify(readerAnswer.body)).not.toContain(link.slice(3, 30));
      expect(JSON.stringify(actorAnswer.body)).toContain(link);
    }
    const { attributes } = (await reader.get(path)).body.data;
    expect(attributes.text).toBe(fullText.replace(link, '/s/…'));
    expect(attributes.html).toMatch(/<a href="https?:[^"]+\/s\/…"/);
  });
});

describe('the brand of a merchant', () => {
  const brand = {
    locale: 'fr',
    brand_name: 'Chez Rose',
    brand_color: '#7C3AED',
    logo_url: 'https://roses.example/logo.png',
    business_support_email: 'aide@roses.example',
  };

  it("is in its emails, in the merchant's language if the customer has none", async () => {
    const merchant = await fetchMerchant();
    const originalBrand = Object.fromEntries(
      Object.keys(brand).map((name) => [name, merchant.attributes[name]]),
    );
    const live = { client: api.live };
    expect((await patch(live, merchant, brand)).status).toBe(200);
    const [email] = await waitForEmailsAbout(await makeCapturedPayment(api.client));
    await patch(live, merchant, originalBrand);
    const { subject, html, text } = (email as ResourceObject).attributes;
    expect(subject).toBe('Votre reçu de Chez Rose');
    expect(text).toContain('Écrivez à aide@roses.example');
    expect(html).toContain('<img src="https://roses.example/logo.png" alt="Chez Rose"');
    expect(html).toContain('background:#7C3AED');
    const again = await api.client.get(`/v2/emails/${email?.id}`);
    expect(again.body.data.attributes).toEqual(email?.attributes);
  });

  it.each([
    [{ brand_color: 'red' }, 'brand_color'],
    [{ brand_color: '#fff;x' }, 'brand_color'],
    [{ brand_color: '#12345' }, 'brand_color'],
    [{ logo_url: 'http://roses.example/logo.png' }, 'logo_url'],
    [{ logo_url: 'javascript:alert(1)' }, 'logo_url'],
    [{ locale: 'tlh' }, 'locale'],
    [{ brand_name: 'x'.repeat(101) }, 'brand_name'],
  ])('is not %o', async (attributes, attributeName) => {
    const answer = await patch(api, await fetchMerchant(), attributes);
    expect(answer.status).toBe(422);
    expect(errorsOf(answer).map(([, pointer]) => pointer)).toEqual([
      `/data/attributes/${attributeName}`,
    ]);
  });
});
