import { randomUUID } from 'node:crypto';
import type { MemberNotification } from '@florin/contract/member-notifications.ts';
import { NOTE_CHARS_MAX, NOTES_MAX, type PaymentNotes } from '@florin/contract/payment-notes.ts';
import { roleSlugs } from '@florin/contract/roles.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { HOURLY_MAX } from '../../src/features/member-notifications/hourly-limits.ts';
import { useApi } from '../support/api.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type ResourceObject, UNKNOWN_ID } from '../support/client.ts';
import { waitForEmails } from '../support/mailbox.ts';
import { makeDemand } from '../support/make.ts';
import { openMember } from '../support/open-member.ts';

type Member = Awaited<ReturnType<typeof openMember>>;

const api = useApi();
let merchantId: string;
let payment: ResourceObject;
let author: Member;
let grace: Member;
let reader: Member;

const headersOf = (mode = 'sandbox', key = randomUUID()) => ({
  'florin-merchant': merchantId,
  'florin-mode': mode,
  'idempotency-key': key,
});
const pathOf = (id = payment.id) => `/dashboard/api/payments/${id}/notes`;
const write = (browser: Browser, text: unknown, headers = headersOf()) =>
  browser.send('POST', pathOf(), { text }, headers);
const read = async (browser: Browser, id = payment.id): Promise<PaymentNotes> =>
  (await browser.get(pathOf(id), headersOf())).body;
const textsOf = async (browser: Browser) => (await read(browser)).notes.map(({ text }) => text);
const countEmailsTo = async (email: string): Promise<number> => {
  const [row] = await api.fixtures.db.query(
    `select count(*) as emails from account_letters where kind = 'mention' and to_email = $1`,
    [email],
  );
  return Number(row?.emails);
};

/** Mentions in the bell of a member, newest first. */
const mentionsOf = async (browser: Browser): Promise<MemberNotification[]> => {
  const { body } = await browser.get('/dashboard/api/notifications', headersOf());
  return body.notifications.filter(({ kind }: MemberNotification) => kind === 'mention');
};

beforeAll(async () => {
  merchantId = (await api.fixtures.getDemoMerchant()).id;
  const open = (permissions: readonly string[], name: string) =>
    openMember(api, { merchant_id: merchantId, permissions, name });
  author = await open(roleSlugs('support'), 'Ada Author');
  grace = await open(roleSlugs('support'), 'Grace Hopper');
  reader = await open(['transaction.payment_demands.read'], 'Rita Reader');
});

describe('the notes about a payment', () => {
  beforeAll(async () => {
    payment = await makeDemand(api.client);
  });

  it('are shown with their author, and only the author may delete them', async () => {
    const { status, headers } = await write(author.browser, ' Called the payer. ');
    expect(status).toBe(201);
    const { notes } = await read(grace.browser);
    expect(notes).toMatchObject([
      { text: 'Called the payer.', author: 'Ada Author', is_own: false },
    ]);
    const path = headers.get('location') as string;
    expect((await grace.browser.send('DELETE', path, undefined, headersOf())).status).toBe(404);
    expect((await author.browser.send('DELETE', path, undefined, headersOf())).status).toBe(204);
    expect(await textsOf(grace.browser)).toEqual([]);
  });

  it('notify a mentioned member once, also if the request is repeated', async () => {
    const key = headersOf('sandbox');
    const text = '@Grace Hopper and again @grace hopper: please refund';
    const [first, second] = await Promise.all([
      write(author.browser, text, key),
      write(author.browser, text, key),
    ]);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(await textsOf(author.browser)).toEqual([text]);
    expect(await countEmailsTo(grace.email)).toBe(1);
    const { amount_cents, amount_currency } = payment.attributes;
    const facts = { author: 'Ada Author', amount_cents: String(amount_cents), amount_currency };
    const mentions = await mentionsOf(grace.browser);
    expect(mentions).toMatchObject([{ record_id: payment.id, facts, read_at: null }]);
    expect(await mentionsOf(author.browser)).toEqual([]);
    const anonymous = openBrowser(api.stack.baseUrl);
    const [email] = await waitForEmails(anonymous, grace.email, 'mention');
    expect(email?.text).toContain(`/${merchantId}/sandbox/payments/${payment.id}`);
    expect(email?.text).toContain(`/${merchantId}/sandbox/notifications`);
    expect(email?.text).not.toContain('please refund');
  });

  it('take their notifications with them when they are deleted', async () => {
    const before = await mentionsOf(grace.browser);
    const { headers } = await write(author.browser, 'Wrong payment, @Grace Hopper');
    expect(await mentionsOf(grace.browser)).toHaveLength(before.length + 1);
    const path = headers.get('location') as string;
    expect((await author.browser.send('DELETE', path, undefined, headersOf())).status).toBe(204);
    expect(await mentionsOf(grace.browser)).toEqual(before);
  });

  it('do not notify their author', async () => {
    await write(author.browser, 'for @Ada Author and @Grace Hopper');
    expect(await mentionsOf(author.browser)).toEqual([]);
    expect(await countEmailsTo(author.email)).toBe(0);
  });

  it('leave the mentions counted beyond the limit when they are deleted', async () => {
    const { browser } = await openMember(api, {
      merchant_id: merchantId,
      permissions: roleSlugs('support'),
      name: 'Mona Many',
    });
    const counts = async () => (await mentionsOf(browser)).map(({ more_count }) => more_count);
    const paths: string[] = [];
    for (let at = 0; at < HOURLY_MAX.app + 3; at++) {
      const { headers } = await write(author.browser, `${at} for @Mona Many`);
      paths.push(headers.get('location') as string);
    }
    const none = Array.from({ length: HOURLY_MAX.app - 2 }, () => 0);
    expect(await counts()).toEqual([3, 0, ...none]);
    const last = paths[HOURLY_MAX.app - 1] as string;
    expect((await author.browser.send('DELETE', last, undefined, headersOf())).status).toBe(204);
    expect(await counts()).toEqual([3, ...none]);
  });

  it('notify by the channels that the member has not switched off', async () => {
    const quiet = await openMember(api, {
      merchant_id: merchantId,
      permissions: roleSlugs('support'),
      name: 'Quinn Quiet',
    });
    const choose = (channel: string, on: boolean) =>
      quiet.browser.send(
        'PUT',
        '/dashboard/api/notification_choices',
        { kind: 'mention', channel, on },
        headersOf(),
      );
    const mention = async () => {
      await write(author.browser, 'for @Quinn Quiet');
      return [(await mentionsOf(quiet.browser)).length, await countEmailsTo(quiet.email)];
    };
    expect(await mention()).toEqual([1, 1]);
    expect((await choose('email', false)).status).toBe(204);
    expect(await mention()).toEqual([2, 1]);
    expect((await choose('app', false)).status).toBe(204);
    expect(await mention()).toEqual([2, 1]);
    expect((await choose('email', true)).status).toBe(204);
    expect(await mention()).toEqual([2, 2]);
  });

  it('notify no one who may not read the payment', async () => {
    const blind = await openMember(api, {
      merchant_id: merchantId,
      permissions: ['consumer.customers.read'],
      name: 'Bert Blind',
    });
    await write(author.browser, 'for @Bert Blind and @Rita Reader');
    expect(await countEmailsTo(blind.email)).toBe(0);
    expect(await countEmailsTo(reader.email)).toBe(1);
    expect(await mentionsOf(blind.browser)).toEqual([]);
    expect(await mentionsOf(reader.browser)).toHaveLength(1);
    const { mentionable } = await read(author.browser);
    expect(mentionable).toContain('Rita Reader');
    expect(mentionable).not.toContain('Bert Blind');
    await api.fixtures.db.query(
      `update memberships set permissions = $2 where merchant_id = $1
       and account_id = (select id from accounts where email = $3)`,
      [merchantId, JSON.stringify(['transaction.payment_demands.read']), blind.email],
    );
    expect(await mentionsOf(blind.browser)).toEqual([]);
  });

  it('are read by readers of payments, who see no names to mention', async () => {
    const { notes, mentionable } = await read(reader.browser);
    expect(notes.length).toBeGreaterThan(0);
    expect(mentionable).toEqual([]);
    expect((await write(reader.browser, 'x')).status).toBe(403);
  });

  it('stay within merchant and mode', async () => {
    const live = headersOf('live');
    expect((await author.browser.get(pathOf(), live)).status).toBe(404);
    expect((await write(author.browser, 'x', live)).status).toBe(404);
    expect((await author.browser.get(pathOf(UNKNOWN_ID), headersOf())).status).toBe(404);
  });

  it.each([
    ['no text', '  ', 'blank'],
    ['a number', 5, 'blank'],
    ['too long a text', 'x'.repeat(NOTE_CHARS_MAX + 1), 'too_long'],
    ['a card number', '4111 1111 1111 1111', 'raw_card_data_forbidden'],
  ])('are refused with %s', async (_what, text, code) => {
    const { status, body } = await write(author.browser, text);
    expect([status, body.errors[0].code]).toEqual([422, code]);
  });

  it('end at their number', async () => {
    await api.fixtures.db.query(
      `insert into payment_notes (merchant_id, mode, id, payment_demand_id, account_id, body, created_at)
       select $1, 'sandbox', gen_random_uuid(), $2, $3, 'hay', now() from generate_series(1, $4::int)`,
      [merchantId, payment.id, author.id, String(NOTES_MAX)],
    );
    const { status, body } = await write(author.browser, 'one more');
    expect([status, body.errors[0].code]).toEqual([422, 'limit_reached']);
  });

  it('are in the audit log', async () => {
    const entries = await api.fixtures.db.query(
      'select distinct action, record_id from audit_entries where account_id = $1 and outcome < 300 order by action',
      [author.id],
    );
    expect(entries).toEqual([
      { action: 'DELETE /dashboard/api/payments/:id/notes/:note', record_id: payment.id },
      { action: 'POST /dashboard/api/payments/:id/notes', record_id: payment.id },
    ]);
  });
});
