import type {
  MemberNotification,
  NotificationChoices,
} from '@florin/contract/member-notifications.ts';
import { permissionSlug } from '@florin/contract/permissions.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Browser, signIn } from '../support/browser.ts';
import { documentOf, type ResourceObject } from '../support/client.ts';
import { waitForEmails, waitForLinkToken } from '../support/mailbox.ts';
import { eventually, makeDispute } from '../support/make.ts';
import { operatorOf } from '../support/operator.ts';
import { type Newcomer, peopleOf, permissionsOf, post } from '../support/people.ts';

const api = useApi();
const { makeNewcomer } = peopleOf(api);
let merchantId: string;
let owner: Browser;
let dispute: ResourceObject;

const headers = (mode = 'sandbox') => ({ 'florin-merchant': merchantId, 'florin-mode': mode });

beforeAll(async () => {
  merchantId = (await api.fixtures.getDemoMerchant()).id;
  owner = await signIn(api.stack.baseUrl, api.stack.credentials.account);
  dispute = await makeDispute(api.client);
});

const list = async (browser: Browser, mode?: string): Promise<MemberNotification[]> =>
  (await browser.get('/dashboard/api/notifications', headers(mode))).body.notifications;

const unreadOf = async (browser: Browser): Promise<number> =>
  (await browser.get('/dashboard/api/notifications/unread', headers())).body.unread;

const waitForKind = (browser: Browser, kind: string): Promise<MemberNotification[]> =>
  eventually(
    async () => (await list(browser)).filter((one) => one.kind === kind),
    ({ length }) => length > 0,
  );

const readSlug = (type: 'disputes' | 'webhook_subscriptions') =>
  permissionSlug(resources[type], 'read');

/** A member of the shop with these permissions. */
async function makeMember(slugs: readonly string[]): Promise<Browser> {
  const newcomer = await makeNewcomer();
  await joinAs(newcomer, slugs);
  return newcomer.browser;
}

async function joinAs({ browser, email }: Newcomer, slugs: readonly string[]): Promise<void> {
  const merchant = { browser: owner, headers: headers() };
  const permissions = await permissionsOf(merchant, slugs);
  const body = documentOf('memberships', { email }, { permissions });
  const invited = await owner.send('POST', '/v2/memberships', body, headers());
  expect(invited.status).toBe(201);
  await post(browser, 'links/use', { token: await waitForLinkToken(browser, email, 'invitation') });
}

describe('a dispute', () => {
  it('notifies members, with its amount and deadline', async () => {
    const [notification] = await waitForKind(owner, 'dispute_opened');
    const { amount_cents, amount_currency, evidence_due_at } = dispute.attributes;
    expect(notification).toMatchObject({
      record_id: dispute.id,
      facts: { amount_cents: String(amount_cents), amount_currency, evidence_due_at },
      read_at: null,
      more_count: 0,
    });
  });

  it('reminds members before its deadline, if it still needs a response', async () => {
    const reminder = `select due_at from notifiable_changes where kind = 'evidence_due' and record_id = $1`;
    const [pending] = await api.fixtures.db.query(reminder, [dispute.id]);
    const before = Date.parse(String(dispute.attributes.evidence_due_at)) - 3 * 86_400_000;
    expect(Math.abs(Date.parse(String(pending?.due_at)) - before)).toBeLessThan(60_000);
    await api.fixtures.db.query(
      `update notifiable_changes set due_at = now() where record_id = $1`,
      [dispute.id],
    );
    expect(await waitForKind(owner, 'evidence_due')).toHaveLength(1);
  });

  it('notifies members of the decision', async () => {
    await api.client.send('PATCH', `/v2/disputes/${dispute.id}/accept`);
    const [decided] = await waitForKind(owner, 'dispute_decided');
    expect(decided).toMatchObject({ record_id: dispute.id, facts: { status: 'lost' } });
  });
});

it('an alert of the operator notifies members', async () => {
  const flag = { mode: 'sandbox', violation: 'rogue', reason: 'Complaints' };
  await operatorOf(api).change('POST', `/merchants/${merchantId}/red_flags`, flag);
  const [alert] = await waitForKind(owner, 'account_alert');
  expect(alert?.facts).toEqual({
    message: 'The operator has raised a red flag (rogue): Complaints',
    alert: { code: 'red_flag_raised', parameters: { violation: 'rogue', reason: 'Complaints' } },
  });
});

describe('notifications', () => {
  it('are of one merchant and mode', async () => {
    expect(await list(owner, 'live')).toEqual([]);
    const [other] = await api.fixtures.db.query(
      'select count(*) as count from member_notifications where merchant_id <> $1 and record_id = $2',
      [merchantId, dispute.id],
    );
    expect(other?.count).toBe('0');
  });

  it('reach no member who may not see the record, and disappear with the permission', async () => {
    const reader = await makeMember([readSlug('disputes')]);
    const developer = await makeMember([readSlug('webhook_subscriptions')]);
    const second = await makeDispute(api.client);
    const [notification] = await waitForKind(reader, 'dispute_opened');
    expect(notification?.record_id).toBe(second.id);
    expect([await list(developer), await unreadOf(developer)]).toEqual([[], 0]);
    await api.fixtures.db.query(
      `update memberships set permissions = '[]' where merchant_id = $1 and not opener`,
      [merchantId],
    );
    expect([await list(reader), await unreadOf(reader)]).toEqual([[], 0]);
  });

  it('are read one by one, or up to one, by their member alone', async () => {
    const { body } = await owner.get('/dashboard/api/notifications', headers());
    const [first, ...others] = body.notifications as [MemberNotification, ...MemberNotification[]];
    expect(body.unread).toBe(1 + others.length);
    const read = (sent: object, browser = owner) =>
      browser.send('POST', '/dashboard/api/notifications/read', sent, headers());
    const stranger = await makeMember([readSlug('disputes')]);
    expect((await read({ id: first.id }, stranger)).status).toBe(204);
    expect(await unreadOf(owner)).toBe(body.unread);
    expect((await read({ id: first.id })).status).toBe(204);
    expect(await unreadOf(owner)).toBe(body.unread - 1);
    const [second, ...earlier] = others;
    expect((await read({ up_to: second?.id }, stranger)).status).toBe(204);
    expect(await unreadOf(owner)).toBe(body.unread - 1);
    expect((await read({ up_to: earlier[0]?.id })).status).toBe(204);
    const unread = (await list(owner)).filter(({ read_at }) => read_at === null);
    expect(unread.map(({ id }) => id)).toEqual([second?.id]);
    expect((await read({ up_to: first.id })).status).toBe(204);
    expect(await unreadOf(owner)).toBe(0);
  });

  it.each([
    [{}, '/up_to'],
    [{ id: 'first' }, '/id'],
    [{ up_to: 'first' }, '/up_to'],
  ])('are not read with %j', async (sent, pointer) => {
    const path = '/dashboard/api/notifications/read';
    const { status, body } = await owner.send('POST', path, sent, headers());
    expect([status, body.errors[0].source]).toEqual([422, { pointer }]);
  });
});

describe('what a member is notified of', () => {
  const choicesOf = async (browser: Browser, mode?: string) => {
    const { body } = await browser.get('/dashboard/api/notification_choices', headers(mode));
    return (body as NotificationChoices).choices;
  };
  const choose = (browser: Browser, choice: object) =>
    browser.send('PUT', '/dashboard/api/notification_choices', choice, headers());

  it('lists the kinds that the member may see, with defaults of the mode', async () => {
    const reader = await makeMember([readSlug('disputes')]);
    expect(await choicesOf(reader)).toEqual([
      { kind: 'dispute_opened', app: true, email: false },
      { kind: 'evidence_due', app: true, email: false },
      { kind: 'dispute_decided', app: true, email: false },
    ]);
    const inLive = await choicesOf(owner, 'live');
    expect(inLive.map(({ app, email }) => [app, email])).toEqual(inLive.map(() => [true, true]));
    expect(inLive).toHaveLength(8);
  });

  it('is switched for each kind', async () => {
    expect(
      (await choose(owner, { kind: 'dispute_opened', channel: 'app', on: false })).status,
    ).toBe(204);
    expect((await choicesOf(owner))[0]).toMatchObject({ kind: 'dispute_opened', app: false });
    const reader = await makeMember([readSlug('disputes')]);
    const third = await makeDispute(api.client);
    await waitForKind(reader, 'dispute_opened');
    expect((await list(owner)).filter(({ record_id }) => record_id === third.id)).toEqual([]);
  });

  it('is emailed in the language of the member', async () => {
    const { browser, email } = await makeNewcomer();
    await browser.send('PATCH', '/dashboard/api/account', { locale: 'de' });
    await joinAs({ browser, email }, [readSlug('disputes')]);
    await choose(browser, { kind: 'dispute_opened', channel: 'email', on: true });
    const { id } = await makeDispute(api.client);
    const [sent] = await waitForEmails(browser, email, 'member_notification');
    expect(sent?.subject).toMatch(/^Sandbox: .*: Eine Zahlung über .* wird angefochten$/);
    expect(sent?.text).toContain(`/dashboard/${merchantId}/sandbox/disputes/${id}`);
  });

  it('needs a known kind and channel, and the permission to see the record', async () => {
    const unknown = await choose(owner, { kind: 'dispute', channel: 'sms', on: 1 });
    expect(unknown.body.errors.map(({ source }: { source: object }) => source)).toEqual([
      { pointer: '/kind' },
      { pointer: '/channel' },
      { pointer: '/on' },
    ]);
    const reader = await makeMember([readSlug('disputes')]);
    const refused = await choose(reader, { kind: 'webhook_failing', channel: 'app', on: true });
    expect([refused.status, refused.body.errors[0].meta.required_permission]).toEqual([
      403,
      readSlug('webhook_subscriptions'),
    ]);
  });
});
