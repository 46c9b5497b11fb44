import { beforeAll, describe, expect, it } from 'vitest';
import { FRESH_SECONDS } from '../../src/features/people/accounts/sessions.ts';
import { MAILS_MAX } from '../../src/features/people/emails/limits.ts';
import { ensureAccount, updateAccount } from '../../src/features/people/sql/accounts.ts';
import { adoptWaitingAccount } from '../../src/features/people/sql/waiting-accounts.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { uuidv7 } from '../../src/platform/ids.ts';
import { instantText } from '../../src/platform/time/clock.ts';
import { useOwnStack } from '../support/api.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { documentOf } from '../support/client.ts';
import { clockAhead } from '../support/clock-ahead.ts';
import { lettersTo, tokenIn, tokenTo } from '../support/mailbox.ts';
import { eventually } from '../support/make.ts';
import {
  codesOf,
  freshAddress,
  invite,
  me,
  PASSWORD,
  peopleOf,
  permissionsOf,
  post,
} from '../support/people.ts';

const clock = clockAhead();
const api = useOwnStack({ config: { clock } });
const { newcomer, opener } = peopleOf(api);
let visitor: Browser;
beforeAll(() => {
  visitor = openBrowser(api.stack.baseUrl);
});

describe('the members of a merchant', () => {
  const members = ['user.memberships.read', 'user.memberships.create', 'user.memberships.update'];

  it('are invited by email, and join with their own password', async () => {
    const merchant = await opener();
    const email = freshAddress();
    const invited = await invite(merchant, email, ['consumer.customers.read']);
    const [letter] = await lettersTo(visitor, email, 'invitation');
    expect(letter?.subject).toBe('Engines invites you to Florin');
    const token = await tokenTo(visitor, email, 'invitation');
    const browser = openBrowser(api.stack.baseUrl);
    expect((await post(browser, 'links/look', { token })).body).toMatchObject({
      purpose: 'invitation',
      business_name: 'Engines',
      is_new: true,
    });
    await post(browser, 'links/use', { token, name: 'Grace Hopper', password: PASSWORD });
    expect((await me(browser)).merchants).toMatchObject([
      { id: merchant.id, membership_id: invited, permissions: ['consumer.customers.read'] },
    ]);
    const { headers } = merchant;
    expect((await browser.get('/v2/customers', headers)).status).toBe(200);
    expect((await browser.get('/v2/payment_demands', headers)).status).toBe(403);
  });

  it('get a few emails per hour, whoever invites them', async () => {
    const [merchant, { email }] = [await opener(), await newcomer()];
    const id = await invite(merchant, email);
    const inviteAgain = () =>
      merchant.browser.send('PATCH', `/v2/memberships/${id}/resend`, undefined, merchant.headers);
    const sent: number[] = [];
    for (let letters = 1; letters <= MAILS_MAX.address; letters++)
      sent.push((await inviteAgain()).status);
    // The emails of the registration and of the invitation count as well.
    const left = MAILS_MAX.address - 2;
    expect(sent).toEqual(sent.map((_, at) => (at < left ? 200 : 429)));
    // Requesting such emails blocks nobody's password reset.
    await post(visitor, 'password_resets', { email });
    await lettersTo(visitor, email, 'reset_password');
  });

  it('with an account join with that only', async () => {
    const [merchant, guest, other] = [await opener(), await newcomer(), await newcomer()];
    await invite(merchant, guest.email);
    const token = await tokenTo(visitor, guest.email, 'invitation');
    expect((await post(visitor, 'links/use', { token })).status).toBe(401);
    expect((await post(other.browser, 'links/use', { token })).status).toBe(401);
    const chosen = { token, name: 'Mallory', password: 'a password of mine' };
    expect((await post(visitor, 'links/use', chosen)).status).toBe(401);
    expect((await post(guest.browser, 'links/use', { token })).body.merchant).toBe(merchant.id);
  });

  it('see their invitations once signed in, and no one else can accept them', async () => {
    const [merchant, guest, other] = [await opener(), await newcomer(), await newcomer()];
    const id = await invite(merchant, guest.email);
    const path = `invitations/${merchant.id}/${id}/accept`;
    expect((await post(other.browser, path)).status).toBe(404);
    expect((await guest.browser.get('/dashboard/api/invitations')).body.data).toMatchObject([
      { id, business_name: 'Engines' },
    ]);
    expect((await post(guest.browser, path)).status).toBe(204);
    expect((await post(guest.browser, path)).status).toBe(404);
  });

  it('take over the address of an invitation, and the invitation, if they read its emails', async () => {
    const [merchant, second, guest] = [await opener(), await opener(), await newcomer()];
    const address = freshAddress();
    expect((await post(guest.browser, 'account/email', { email: address })).status).toBe(202);
    await invite(merchant, address, ['consumer.customers.read']);
    await invite(second, guest.email);
    const double = await invite(second, address);
    const change = await tokenTo(visitor, address, 'change_email');
    const invitations = await lettersTo(visitor, address, 'invitation', 2);
    // An invited person who presses the button of a foreign change request gives nothing away.
    expect((await post(visitor, 'links/use', { token: change })).status).toBe(401);
    expect((await guest.browser.get('/dashboard/api/invitations')).body.data).toHaveLength(1);
    expect((await post(guest.browser, 'links/use', { token: change })).status).toBe(200);
    expect((await me(guest.browser)).account.email).toBe(address);
    const { data } = (await guest.browser.get('/dashboard/api/invitations')).body;
    expect(data.map(({ merchant_id }: { merchant_id: string }) => merchant_id).toSorted()).toEqual(
      [merchant.id, second.id].toSorted(),
    );
    const ended = await second.browser.get(`/v2/memberships/${double}`, second.headers);
    expect(ended.body.data.attributes.removed_at).not.toBeNull();
    // Earlier emails stay valid for their recipients.
    const [later, earlier] = invitations.map(tokenIn);
    expect((await post(guest.browser, 'links/use', { token: later })).status).toBe(422);
    const used = await post(guest.browser, 'links/use', { token: earlier });
    expect(used.body.merchant).toBe(merchant.id);
  });

  describe('are invited while another account changes to their address', () => {
    /** Transactions that wait for the locks of this one. */
    const waitingFor = (tx: Db) =>
      eventually(
        () =>
          tx.query(
            'select 1 from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))',
            [],
          ),
        ({ length }) => length > 0,
      );
    async function twoOfOne() {
      const [{ browser }, email] = [await newcomer(), freshAddress()];
      await post(visitor, 'registrations', { email });
      await tokenTo(visitor, email, 'registration');
      const change = { email, account_id: (await me(browser)).account.id as string };
      const takeOver = async (tx: Db): Promise<void> => {
        const at = instantText(clock.now());
        await adoptWaitingAccount(tx, { ...change, at });
        await updateAccount(tx, change.account_id, { email }, at);
      };
      return { browser, email, takeOver };
    }

    it('and get the invitation if that was first', async () => {
      const [merchant, { browser, email, takeOver }] = [await opener(), await twoOfOne()];
      let inviting: Promise<string> | undefined;
      await api.fixtures.db.transaction(async (tx) => {
        await takeOver(tx);
        inviting = invite(merchant, email);
        await waitingFor(tx);
      });
      const id = await inviting;
      const { data } = (await browser.get('/dashboard/api/invitations')).body;
      expect(data).toMatchObject([{ id, merchant_id: merchant.id }]);
    });

    it('and that change waits if the invitation was first', async () => {
      const { email, takeOver } = await twoOfOne();
      let taking: Promise<void> | undefined;
      await api.fixtures.db.transaction(async (tx) => {
        const now = clock.now();
        await ensureAccount(tx, { id: uuidv7(now), email, at: instantText(now) });
        taking = api.fixtures.db.transaction(takeOver);
        expect(await waitingFor(tx)).not.toHaveLength(0);
      });
      await taking;
    });
  });

  it('grant only permissions they hold, and change no one who holds more', async () => {
    const merchant = await opener();
    const { headers } = merchant;
    const guest = await newcomer();
    const [clerk, boss] = [
      await invite(merchant, guest.email, members),
      await invite(merchant, freshAddress(), ['transaction.refund_demands.create']),
    ];
    const token = await tokenTo(visitor, guest.email, 'invitation');
    await post(guest.browser, 'links/use', { token });
    const all = await permissionsOf(merchant, ['transaction.refund_demands.create']);
    const setPermissions = (id: string, permissions: object) =>
      guest.browser.send(
        'PATCH',
        `/v2/memberships/${id}`,
        documentOf('memberships', {}, { permissions } as never, id),
        headers,
      );
    const own = (await me(merchant.browser)).merchants[0].membership_id;
    expect((await setPermissions(clerk, all)).status).toBe(403);
    expect((await setPermissions(boss, [])).status).toBe(403);
    expect((await setPermissions(own, [])).status).toBe(403);
    for (const id of [boss, own]) {
      const answer = await guest.browser.send(
        'PATCH',
        `/v2/memberships/${id}/remove`,
        undefined,
        headers,
      );
      expect(answer.status).toBe(403);
    }
    const made = documentOf('memberships', { email: freshAddress() }, { permissions: all });
    expect((await guest.browser.send('POST', '/v2/memberships', made, headers)).status).toBe(403);
  });

  it('lose all rights immediately after removal', async () => {
    const [merchant, guest] = [await opener(), await newcomer()];
    const { headers, browser } = merchant;
    const id = await invite(merchant, guest.email, ['consumer.customers.read']);
    await post(guest.browser, 'links/use', {
      token: await tokenTo(visitor, guest.email, 'invitation'),
    });
    expect((await guest.browser.get('/v2/customers', headers)).status).toBe(200);
    expect(
      (await browser.send('PATCH', `/v2/memberships/${id}/remove`, undefined, headers)).status,
    ).toBe(200);
    expect((await guest.browser.get('/v2/customers', headers)).status).toBe(403);
    expect((await me(guest.browser)).merchants).toEqual([]);
  });

  it('can be changed only after a recent sign-in', async () => {
    const merchant = await opener();
    clock.advance(FRESH_SECONDS);
    const body = documentOf('memberships', { email: freshAddress() });
    const answer = await merchant.browser.send('POST', '/v2/memberships', body, merchant.headers);
    expect(codesOf(answer)).toEqual([['sign_in_again', undefined]]);
  });

  it('leave audit entries, which only members see', async () => {
    const [merchant, other] = [await opener(), await opener()];
    const { browser, headers } = merchant;
    const id = await invite(merchant, freshAddress());
    await post(other.browser, 'sessions/end_others', undefined, headers);
    const { body } = await browser.get('/dashboard/api/audit_entries', headers);
    expect(body.data).toMatchObject([
      { action: 'POST /v2/memberships', record_id: id, outcome: 201, mode: 'live' },
    ]);
    expect(body.data[0].account.email).toBe(merchant.email);
    expect((await other.browser.get('/dashboard/api/audit_entries', headers)).status).toBe(403);
  });
});
