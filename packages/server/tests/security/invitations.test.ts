import { beforeAll, describe, expect, it } from 'vitest';
import { FRESH_SECONDS } from '../../src/features/people/accounts/sessions.ts';
import { MAILS_MAX } from '../../src/features/people/emails/limits.ts';
import { ensureAccount, updateAccount } from '../../src/features/people/sql/accounts.ts';
import { adoptWaitingAccount } from '../../src/features/people/sql/waiting-accounts.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { type BothTransactions, inBoth } from '../../src/platform/database/in-both.ts';
import { uuidv7 } from '../../src/platform/ids.ts';
import { instantText } from '../../src/platform/time/clock.ts';
import { useOwnStack } from '../support/api.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { documentOf, type ResourceObject } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import { linkTokenOf, waitForEmails, waitForLinkToken } from '../support/mailbox.ts';
import { eventually } from '../support/make.ts';
import {
  codesOf,
  fetchMe,
  invite,
  newEmailAddress,
  PASSWORD,
  peopleOf,
  permissionsOf,
  post,
} from '../support/people.ts';

const clock = createClockAhead();
const api = useOwnStack({ config: { clock } });
const { makeNewcomer, makeOpener } = peopleOf(api);
let visitor: Browser;
beforeAll(() => {
  visitor = openBrowser(api.stack.baseUrl);
});

describe('a member who leaves with API keys', () => {
  const SLUGS = [
    'consumer.customers.read',
    'user.merchant_tokens.create',
    'user.merchant_tokens.read',
    'user.merchant_tokens.update',
  ];
  const keyDocument = (name: string) =>
    documentOf('merchant_tokens', { name, context: 'secret', schema: 'live' });
  const statusOf = async (key: string) => (await api.as(key).get('/v2/customers')).status;

  /** A member with a key, which has made another key. */
  async function makeLeaver() {
    const [merchant, guest] = [await makeOpener(), await makeNewcomer()];
    const id = await invite(merchant, guest.email, SLUGS);
    const token = await waitForLinkToken(visitor, guest.email, 'invitation');
    await post(guest.browser, 'links/use', { token });
    const key = (
      await guest.browser.send(
        'POST',
        '/v2/merchant_tokens',
        keyDocument('Server'),
        merchant.headers,
      )
    ).body.data.attributes.token;
    const hiddenKey = (await api.as(key).send('POST', '/v2/merchant_tokens', keyDocument('Hidden')))
      .body.data.attributes.token;
    const remove = (attributes: object) =>
      merchant.browser.send(
        'PATCH',
        `/v2/memberships/${id}/remove`,
        documentOf('memberships', attributes, {}, id),
        merchant.headers,
      );
    return { merchant, guest, id, keys: [key, hiddenKey] as string[], remove };
  }

  it('keeps them until the remover has decided, who gets their names', async () => {
    const { guest, merchant, keys, remove } = await makeLeaver();
    const refusal = await remove({});
    expect(codesOf(refusal)).toEqual([['blank', { pointer: '/data/attributes/keys' }]]);
    const named = refusal.body.errors[0].meta.keys.map(({ name }: { name: string }) => name);
    expect(named.sort()).toEqual(['Hidden', 'Server']);
    expect((await guest.browser.get('/v2/customers', merchant.headers)).status).toBe(200);
    expect(await Promise.all(keys.map(statusOf))).toEqual([200, 200]);
  });

  it('loses all of them, also one that a key has made', async () => {
    const { keys, remove } = await makeLeaver();
    expect((await remove({ keys: 'revoke' })).status).toBe(200);
    expect(await Promise.all(keys.map(statusOf))).toEqual([401, 401]);
  });

  it('leaves them to the remover, who is their creator from then on', async () => {
    const { merchant, id, keys, remove } = await makeLeaver();
    const creatorsOf = async () => {
      const path = '/v2/merchant_tokens?include=creator';
      const { data } = (await merchant.browser.get(path, merchant.headers)).body;
      return new Set(
        data.map(
          ({ relationships }: ResourceObject) =>
            (relationships?.creator?.data as { id?: string } | null)?.id,
        ),
      );
    };
    expect(await creatorsOf()).toEqual(new Set([id]));
    expect((await remove({ keys: 'hand_over' })).status).toBe(200);
    expect(await Promise.all(keys.map(statusOf))).toEqual([200, 200]);
    const { membership_id } = (await fetchMe(merchant.browser)).merchants[0];
    expect(await creatorsOf()).toEqual(new Set([membership_id]));
  });

  it('keeps none by a key that is created during the removal', async () => {
    const { id, keys } = await makeLeaver();
    const lateKey = (
      await api.as(keys[0] as string).send('POST', '/v2/merchant_tokens', keyDocument('Late'))
    ).body.data.attributes.token;
    await api.fixtures.db.query(
      `update memberships set removed_at = now(), accepted_at = null, permissions = '[]' where id = $1`,
      [id],
    );
    expect(await statusOf(lateKey)).toBe(401);
  });
});

describe('the members of a merchant', () => {
  const memberPermissions = [
    'user.memberships.read',
    'user.memberships.create',
    'user.memberships.update',
  ];

  it('are invited by email, and join with their own password', async () => {
    const merchant = await makeOpener();
    const email = newEmailAddress();
    const membershipId = await invite(merchant, email, ['consumer.customers.read']);
    const [storedEmail] = await waitForEmails(visitor, email, 'invitation');
    expect(storedEmail?.subject).toBe('Engines invites you to Florin');
    const token = await waitForLinkToken(visitor, email, 'invitation');
    const browser = openBrowser(api.stack.baseUrl);
    expect((await post(browser, 'links/look', { token })).body).toMatchObject({
      purpose: 'invitation',
      business_name: 'Engines',
      is_new: true,
    });
    await post(browser, 'links/use', { token, name: 'Grace Hopper', password: PASSWORD });
    expect((await fetchMe(browser)).merchants).toMatchObject([
      { id: merchant.id, membership_id: membershipId, permissions: ['consumer.customers.read'] },
    ]);
    const { headers } = merchant;
    expect((await browser.get('/v2/customers', headers)).status).toBe(200);
    expect((await browser.get('/v2/payment_demands', headers)).status).toBe(403);
  });

  it('get a few emails per hour, whoever invites them', async () => {
    const [merchant, { email }] = [await makeOpener(), await makeNewcomer()];
    const id = await invite(merchant, email);
    const inviteAgain = () =>
      merchant.browser.send('PATCH', `/v2/memberships/${id}/resend`, undefined, merchant.headers);
    const statuses: number[] = [];
    for (let count = 1; count <= MAILS_MAX.address; count++)
      statuses.push((await inviteAgain()).status);
    // The emails of the registration and of the invitation count as well.
    const allowedCount = MAILS_MAX.address - 2;
    expect(statuses).toEqual(statuses.map((_, index) => (index < allowedCount ? 200 : 429)));
    // Invitation emails do not use up the limit of password resets.
    await post(visitor, 'password_resets', { email });
    await waitForEmails(visitor, email, 'reset_password');
  });

  it('with an account join with that only', async () => {
    const [merchant, guest, otherPerson] = [
      await makeOpener(),
      await makeNewcomer(),
      await makeNewcomer(),
    ];
    await invite(merchant, guest.email);
    const token = await waitForLinkToken(visitor, guest.email, 'invitation');
    expect((await post(visitor, 'links/use', { token })).status).toBe(401);
    expect((await post(otherPerson.browser, 'links/use', { token })).status).toBe(401);
    const body = { token, name: 'Mallory', password: 'a password of mine' };
    expect((await post(visitor, 'links/use', body)).status).toBe(401);
    expect((await post(guest.browser, 'links/use', { token })).body.merchant).toBe(merchant.id);
  });

  it('see their invitations once signed in, and no one else can accept them', async () => {
    const [merchant, guest, otherPerson] = [
      await makeOpener(),
      await makeNewcomer(),
      await makeNewcomer(),
    ];
    const id = await invite(merchant, guest.email);
    const path = `invitations/${merchant.id}/${id}/accept`;
    expect((await post(otherPerson.browser, path)).status).toBe(404);
    expect((await guest.browser.get('/dashboard/api/invitations')).body.data).toMatchObject([
      { id, business_name: 'Engines' },
    ]);
    expect((await post(guest.browser, path)).status).toBe(204);
    expect((await post(guest.browser, path)).status).toBe(404);
  });

  it('take over the address of an invitation, and the invitation, if they read its emails', async () => {
    const [merchant, secondMerchant, guest] = [
      await makeOpener(),
      await makeOpener(),
      await makeNewcomer(),
    ];
    const address = newEmailAddress();
    expect((await post(guest.browser, 'account/email', { email: address })).status).toBe(202);
    await invite(merchant, address, ['consumer.customers.read']);
    await invite(secondMerchant, guest.email);
    const duplicateId = await invite(secondMerchant, address);
    const changeToken = await waitForLinkToken(visitor, address, 'change_email');
    const invitations = await waitForEmails(visitor, address, 'invitation', 2);
    // The link of an address change works only in the session that requested the change.
    expect((await post(visitor, 'links/use', { token: changeToken })).status).toBe(401);
    expect((await guest.browser.get('/dashboard/api/invitations')).body.data).toHaveLength(1);
    expect((await post(guest.browser, 'links/use', { token: changeToken })).status).toBe(200);
    expect((await fetchMe(guest.browser)).account.email).toBe(address);
    const { data } = (await guest.browser.get('/dashboard/api/invitations')).body;
    expect(data.map(({ merchant_id }: { merchant_id: string }) => merchant_id).toSorted()).toEqual(
      [merchant.id, secondMerchant.id].toSorted(),
    );
    const endedInvitation = await secondMerchant.browser.get(
      `/v2/memberships/${duplicateId}`,
      secondMerchant.headers,
    );
    expect(endedInvitation.body.data.attributes.removed_at).not.toBeNull();
    // Earlier emails stay valid for their recipients.
    const [laterToken, earlierToken] = invitations.map(linkTokenOf);
    expect((await post(guest.browser, 'links/use', { token: laterToken })).status).toBe(422);
    const answer = await post(guest.browser, 'links/use', { token: earlierToken });
    expect(answer.body.merchant).toBe(merchant.id);
  });

  describe('are invited while another account changes to their address', () => {
    /** Waits until this transaction blocks another one. */
    const waitForBlockedTransaction = (tx: Db) =>
      eventually(
        () =>
          tx.query(
            'select 1 from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))',
            [],
          ),
        ({ length }) => length > 0,
      );
    async function prepareAddressChange() {
      const [{ browser }, email] = [await makeNewcomer(), newEmailAddress()];
      await post(visitor, 'registrations', { email });
      await waitForLinkToken(visitor, email, 'registration');
      const change = { email, account_id: (await fetchMe(browser)).account.id as string };
      const takeOver = async (both: BothTransactions): Promise<void> => {
        const at = instantText(clock.now());
        await adoptWaitingAccount(both, { ...change, at });
        await updateAccount(both.global, change.account_id, { email }, at);
      };
      return { browser, email, takeOver };
    }

    it('and get the invitation if the change was first', async () => {
      const [merchant, { browser, email, takeOver }] = [
        await makeOpener(),
        await prepareAddressChange(),
      ];
      let invitationPromise: Promise<string> | undefined;
      await inBoth(api.fixtures, async (both) => {
        await takeOver(both);
        invitationPromise = invite(merchant, email);
        await waitForBlockedTransaction(both.global);
      });
      const id = await invitationPromise;
      const { data } = (await browser.get('/dashboard/api/invitations')).body;
      expect(data).toMatchObject([{ id, merchant_id: merchant.id }]);
    });

    it('and the change waits if the invitation was first', async () => {
      const { email, takeOver } = await prepareAddressChange();
      let takeoverPromise: Promise<void> | undefined;
      await api.fixtures.global.transaction(async (tx) => {
        const now = clock.now();
        await ensureAccount(tx, { id: uuidv7(now), email, at: instantText(now) });
        takeoverPromise = inBoth(api.fixtures, takeOver);
        expect(await waitForBlockedTransaction(tx)).not.toHaveLength(0);
      });
      await takeoverPromise;
    });
  });

  it('grant only permissions they hold, and change no one who holds more', async () => {
    const merchant = await makeOpener();
    const { headers } = merchant;
    const guest = await makeNewcomer();
    const [clerkId, managerId] = [
      await invite(merchant, guest.email, memberPermissions),
      await invite(merchant, newEmailAddress(), ['transaction.refund_demands.create']),
    ];
    const token = await waitForLinkToken(visitor, guest.email, 'invitation');
    await post(guest.browser, 'links/use', { token });
    const refundPermissions = await permissionsOf(merchant, ['transaction.refund_demands.create']);
    const setPermissions = (id: string, permissions: object) =>
      guest.browser.send(
        'PATCH',
        `/v2/memberships/${id}`,
        documentOf('memberships', {}, { permissions } as never, id),
        headers,
      );
    const ownerMembershipId = (await fetchMe(merchant.browser)).merchants[0].membership_id;
    expect((await setPermissions(clerkId, refundPermissions)).status).toBe(403);
    expect((await setPermissions(managerId, [])).status).toBe(403);
    expect((await setPermissions(ownerMembershipId, [])).status).toBe(403);
    for (const id of [managerId, ownerMembershipId]) {
      const answer = await guest.browser.send(
        'PATCH',
        `/v2/memberships/${id}/remove`,
        undefined,
        headers,
      );
      expect(answer.status).toBe(403);
    }
    const body = documentOf(
      'memberships',
      { email: newEmailAddress() },
      { permissions: refundPermissions },
    );
    expect((await guest.browser.send('POST', '/v2/memberships', body, headers)).status).toBe(403);
  });

  it('lose all rights immediately after removal', async () => {
    const [merchant, guest] = [await makeOpener(), await makeNewcomer()];
    const { headers, browser } = merchant;
    const id = await invite(merchant, guest.email, ['consumer.customers.read']);
    await post(guest.browser, 'links/use', {
      token: await waitForLinkToken(visitor, guest.email, 'invitation'),
    });
    expect((await guest.browser.get('/v2/customers', headers)).status).toBe(200);
    expect(
      (await browser.send('PATCH', `/v2/memberships/${id}/remove`, undefined, headers)).status,
    ).toBe(200);
    expect((await guest.browser.get('/v2/customers', headers)).status).toBe(403);
    expect((await fetchMe(guest.browser)).merchants).toEqual([]);
  });

  it('can be changed only after a recent sign-in', async () => {
    const merchant = await makeOpener();
    clock.advance(FRESH_SECONDS);
    const body = documentOf('memberships', { email: newEmailAddress() });
    const answer = await merchant.browser.send('POST', '/v2/memberships', body, merchant.headers);
    expect(codesOf(answer)).toEqual([['sign_in_again', undefined]]);
  });

  it('name former members for the filter of the log only if they have entries', async () => {
    const merchant = await makeOpener();
    const [actor, reader] = [await makeNewcomer(), await makeNewcomer()];
    for (const guest of [actor, reader]) {
      const id = await invite(merchant, guest.email, ['consumer.customers.create']);
      const token = await waitForLinkToken(visitor, guest.email, 'invitation');
      await post(guest.browser, 'links/use', { token });
      if (guest === actor)
        await guest.browser.send(
          'POST',
          '/v2/customers',
          documentOf('customers', { email: 'ada@example.com' }),
          merchant.headers,
        );
      const removal = documentOf('memberships', {}, {}, id);
      const path = `/v2/memberships/${id}/remove`;
      expect((await merchant.browser.send('PATCH', path, removal, merchant.headers)).status).toBe(
        200,
      );
    }
    const { body } = await merchant.browser.get('/dashboard/api/audit_people', merchant.headers);
    expect(body).toMatchObject([
      { email: merchant.email, is_member: true },
      { email: actor.email, is_member: false },
    ]);
  });

  it('leave audit entries, which only members see', async () => {
    const [merchant, outsider] = [await makeOpener(), await makeOpener()];
    const { browser, headers } = merchant;
    const id = await invite(merchant, newEmailAddress());
    await post(outsider.browser, 'sessions/end_others', undefined, headers);
    const { body } = await browser.get('/dashboard/api/audit_entries', headers);
    expect(body.data).toMatchObject([
      { action: 'POST /v2/memberships', record_id: id, outcome: 201, mode: 'live' },
    ]);
    expect(body.data[0].account.email).toBe(merchant.email);
    expect((await outsider.browser.get('/dashboard/api/audit_entries', headers)).status).toBe(403);
  });
});
