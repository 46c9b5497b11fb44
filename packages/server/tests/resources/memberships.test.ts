import { randomUUID } from 'node:crypto';
import { permissionsOf } from '@florin/contract/permissions.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Client, documentOf, type ResourceObject, UNKNOWN_ID } from '../support/client.ts';
import { makeInvitation } from '../support/make.ts';
import {
  describeReads,
  describeRefusals,
  describeRefusedMethods,
  describeUnknownRelations,
  errorsOf,
} from '../support/resource-suite.ts';

const api = useApi();
const make = () => makeInvitation(api.client);
const newEmail = () => `${randomUUID()}@example.com`;

const fetchPermissions = async (
  ...slugs: readonly string[]
): Promise<Pick<ResourceObject, 'type' | 'id'>[]> => {
  const { body } = await api.client.get(`/v2/permissions?filter[slug]=${slugs.join()}`);
  return body.data.map(({ type, id }: ResourceObject) => ({ type, id }));
};

const invite = (client: Client, attributes: object, relations = {}) =>
  client.send('POST', '/v2/memberships', documentOf('memberships', attributes, relations));

describe('a membership', () => {
  describeReads(api, 'memberships', make, ['account', 'permissions']);
  describeRefusedMethods(api, 'memberships');
  describeUnknownRelations(api, { type: 'memberships', validAttributes: {}, make });

  describeRefusals(
    api,
    { type: 'memberships', validAttributes: { email: 'grace@example.com' }, make },
    [
      ['no email', { email: undefined }, 'blank'],
      ['a null email', { email: null }, 'blank'],
      ['an email without a domain', { email: 'grace' }, 'invalid'],
      ['an email of 255 characters', { email: `${'x'.repeat(243)}@example.com` }, 'too_long'],
      ['the rights of the opener', { opener: true }, 'read_only'],
      ['its own acceptance', { accepted_at: '2026-01-01T00:00:00Z' }, 'read_only'],
    ],
  );

  it('of the account that opened the merchant has every permission', async () => {
    const { body } = await api.client.get(
      '/v2/memberships?filter[opener]=true&include=permissions&fields[permissions]=slug',
    );
    expect(body.data).toHaveLength(1);
    expect(body.included?.map(({ attributes }) => attributes.slug).toSorted()).toEqual(
      permissionsOf(resources)
        .map(({ slug }) => slug)
        .toSorted(),
    );
  });

  it.each(['owner', 'support'])('is refused for an account that is a member: %s', async (name) => {
    const email = api.stack.credentials.account.email.replace('owner', name);
    const [account] = (await api.client.get(`/v2/accounts?filter[email]=${email}`)).body.data;
    const answer = await invite(api.client, {}, { account });
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [['already_member', '/data/relationships/account']],
    ]);
  });

  it('names an account or an email, not both', async () => {
    const account = { type: 'accounts', id: UNKNOWN_ID };
    const answer = await invite(api.client, { email: newEmail() }, { account });
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [['invalid', '/data/attributes/email']],
    ]);
  });
});

describe('an invitation', () => {
  it('shows no account until its person accepts', async () => {
    const email = newEmail();
    const invitation = await makeInvitation(api.client, { email });
    expect(invitation.attributes).toMatchObject({ email, opener: false, accepted_at: null });
    expect(invitation.relationships.account?.data).toBeNull();
    expect(await api.client.fetch('memberships', invitation.id)).toEqual(invitation);
  });

  it.each([
    ['as before', (email: string) => email],
    ['in capitals', (email: string) => email.toUpperCase()],
  ])('to an address invited before, written %s, is refused', async (_how, writeEmail) => {
    const email = newEmail();
    await makeInvitation(api.client, { email });
    const answer = await invite(api.client, { email: writeEmail(email) });
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [['already_member', '/data/attributes/email']],
    ]);
  });

  it('to the address of a member is refused', async () => {
    const email = api.stack.credentials.account.email.replace('owner', 'Owner');
    const answer = await invite(api.client, { email });
    expect(errorsOf(answer)).toEqual([['already_member', '/data/attributes/email']]);
  });

  it('by concurrent requests is created once', async () => {
    const email = newEmail();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => invite(api.client, { email })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(11);
  });

  it('that is refused creates no account', async () => {
    const emails = Array.from({ length: 8 }, newEmail);
    const headers = { 'idempotency-key': newEmail() };
    const answers = await Promise.all(
      emails.map((email) =>
        api.client.send('POST', '/v2/memberships', documentOf('memberships', { email }), headers),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
    const accountsSql = 'select id from accounts where email = any ($1::text[])';
    expect(await api.fixtures.db.query(accountsSql, [emails])).toHaveLength(1);
  });

  it.each(['sandbox', 'live'] as const)('stores that a %s key created it', async (mode) => {
    const { id, attributes } = await makeInvitation(mode === 'live' ? api.live : api.client);
    const modeSql = 'select invited_mode from memberships where id = $1';
    expect(await api.fixtures.db.query(modeSql, [id])).toEqual([{ invited_mode: mode }]);
    expect(attributes).not.toHaveProperty('invited_mode');
  });

  it('to one address by many merchants creates one account', async () => {
    const email = newEmail();
    const clients = await Promise.all(
      Array.from({ length: 5 }, async () =>
        api.as(await (await api.fixtures.makeMerchant()).makeKey()),
      ),
    );
    const answers = await Promise.all(clients.map((client) => invite(client, { email })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    const [row] = await api.fixtures.db.query(
      'select count(distinct a.id) as accounts, count(*) as invitations from accounts a join memberships m on m.account_id = a.id where a.email = $1',
      [email],
    );
    expect(row).toEqual({ accounts: '1', invitations: '5' });
  });
});

describe('the permissions of a membership', () => {
  const slugs = ['consumer.customers.read', 'transaction.payment_demands.read'];

  it('are the given ones', async () => {
    const permissions = await fetchPermissions(...slugs);
    const { id } = await api.client.make('memberships', { email: newEmail() }, { permissions });
    const { body } = await api.client.get(
      `/v2/memberships/${id}/relationships/permissions?sort=slug`,
    );
    expect(body.data.map(({ attributes }: ResourceObject) => attributes.slug)).toEqual(slugs);
    const compoundDocument = (await api.client.get(`/v2/memberships/${id}?include=permissions`))
      .body;
    expect(compoundDocument.data.relationships.permissions.data.toSorted()).toHaveLength(2);
    expect(compoundDocument.included?.map(({ attributes }) => attributes.slug).toSorted()).toEqual(
      slugs,
    );
  });

  it('are none without a list', async () => {
    const { id } = await make();
    const { body } = await api.client.get(`/v2/memberships/${id}/relationships/permissions`);
    expect(body.data).toEqual([]);
    const answer = await api.client.get(
      `/v2/memberships?filter[permissions]=null&filter[id]=${id}`,
    );
    expect(answer.body.data).toHaveLength(1);
  });

  it('can be filtered by', async () => {
    const permissions = await fetchPermissions(slugs[0] as string);
    const { id } = await api.client.make('memberships', { email: newEmail() }, { permissions });
    const listIds = async (slug: string) =>
      (
        await api.client.get(`/v2/memberships?filter[permissions.slug]=${slug}&filter[id]=${id}`)
      ).body.data.map((record: ResourceObject) => record.id);
    expect(await listIds(slugs[0] as string)).toEqual([id]);
    expect(await listIds(slugs[1] as string)).toEqual([]);
  });

  it('that do not exist are 404 with their pointer, and create no invitation', async () => {
    const email = newEmail();
    const answer = await invite(
      api.client,
      { email },
      { permissions: [{ type: 'permissions', id: UNKNOWN_ID }] },
    );
    expect([answer.status, errorsOf(answer)]).toEqual([
      404,
      [['relationship_not_found', '/data/relationships/permissions']],
    ]);
    const { body } = await api.client.get(`/v2/memberships?filter[email]=${email}`);
    expect(body.data).toEqual([]);
  });

  it('never exceed those of the key itself', async () => {
    const heldPermissions = ['user.memberships.create', 'user.memberships.read', ...slugs];
    const merchant = await api.fixtures.getDemoMerchant();
    const limitedClient = api.as(await merchant.makeKey({ permissions: heldPermissions }));
    const grantPermission = async (slug: string) =>
      invite(limitedClient, { email: newEmail() }, { permissions: await fetchPermissions(slug) });
    expect((await grantPermission('consumer.customers.read')).status).toBe(201);
    const refusal = await grantPermission('consumer.customers.update');
    expect([refusal.status, errorsOf(refusal)]).toEqual([
      403,
      [['forbidden', '/data/relationships/permissions']],
    ]);
    expect(refusal.body.errors?.[0]?.detail).toContain('consumer.customers.update');
  });
});

describe('changing a membership', () => {
  const changePermissions = (id: string, permissions: readonly object[], client = api.client) =>
    client.send(
      'PATCH',
      `/v2/memberships/${id}`,
      documentOf('memberships', {}, { permissions: permissions as never }, id),
    );
  const slugsOf = async (id: string) =>
    (
      await api.client.get(`/v2/memberships/${id}/relationships/permissions?sort=slug`)
    ).body.data.map(({ attributes }: ResourceObject) => attributes.slug);

  it('grants and revokes permissions', async () => {
    const { id } = await make();
    const readPermission = await fetchPermissions('consumer.customers.read');
    expect((await changePermissions(id, readPermission)).status).toBe(200);
    expect(await slugsOf(id)).toEqual(['consumer.customers.read']);
    expect((await changePermissions(id, [])).status).toBe(200);
    expect(await slugsOf(id)).toEqual([]);
  });

  it('in the sandbox does not affect live mode', async () => {
    const { id } = await makeInvitation(api.live);
    for (const answer of [
      await changePermissions(id, []),
      await api.client.send('PATCH', `/v2/memberships/${id}/remove`),
      await api.client.send('PATCH', `/v2/memberships/${id}/resend`),
    ]) {
      expect([answer.status, errorsOf(answer)]).toEqual([403, [['forbidden', undefined]]]);
    }
    expect((await changePermissions(id, [], api.live)).status).toBe(200);
  });

  it('of the opener is refused', async () => {
    const [{ id }] = (await api.client.get('/v2/memberships?filter[opener]=true')).body.data;
    expect((await changePermissions(id, [], api.live)).status).toBe(403);
    expect((await api.live.send('PATCH', `/v2/memberships/${id}/remove`)).status).toBe(403);
  });

  it('by removal revokes everything, and its person can be invited again', async () => {
    const email = newEmail();
    const { id } = await makeInvitation(api.client, { email });
    const remove = () => api.client.send('PATCH', `/v2/memberships/${id}/remove`);
    const removal = await remove();
    expect(removal.body.data.attributes).toMatchObject({ accepted_at: null });
    expect(removal.body.data.attributes.removed_at).not.toBeNull();
    expect((await remove()).body.data).toEqual(removal.body.data);
    expect([(await changePermissions(id, [])).status, await slugsOf(id)]).toEqual([405, []]);
    await makeInvitation(api.client, { email });
    const { body } = await api.client.get(
      `/v2/memberships?filter[email]=${email}&filter[removed_at]=null`,
    );
    expect(body.data).toHaveLength(1);
  });

  it('by resending the invitation is possible until it is accepted', async () => {
    const { id } = await make();
    const resend = () => api.client.send('PATCH', `/v2/memberships/${id}/resend`);
    expect((await resend()).status).toBe(200);
    const acceptSql = 'update memberships set accepted_at = now() where id = $1';
    await api.fixtures.db.query(acceptSql, [id]);
    const answer = await resend();
    expect([answer.status, errorsOf(answer)]).toEqual([405, [['invalid_state', undefined]]]);
    expect(answer.body.errors?.[0]?.meta).toEqual({ allowed_actions: ['remove'] });
  });
});
