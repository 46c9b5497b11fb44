import { beforeAll, describe, expect, it } from 'vitest';
import { makeKey } from '../../src/features/merchants/api-key.ts';
import { useApi } from '../support/api.ts';
import {
  type Answer,
  type Client,
  documentOf,
  type ResourceObject,
  UNKNOWN_ID,
} from '../support/client.ts';
import { eventually } from '../support/make.ts';
import {
  countOf,
  describeReads,
  describeRefusals,
  describeRefusedMethods,
  errorsOf,
} from '../support/resource-suite.ts';

const api = useApi();
const validAttributes = { name: 'Warehouse', context: 'secret' };
const make = (attributes: object = {}): Promise<ResourceObject> =>
  api.client.make('merchant_tokens', { ...validAttributes, ...attributes });

describe('a merchant token', () => {
  describeReads(api, 'merchant_tokens', make, ['creator', 'processor_detail']);
  describeRefusedMethods(api, 'merchant_tokens');

  it.each([
    ['secret', /^ept_sandbox_s[1-9A-HJ-NP-Za-km-z]{24,}$/],
    ['browser', /^ept_sandbox_b[1-9A-HJ-NP-Za-km-z]{24,}$/],
  ])('of context %s is a key of its own form', async (context, pattern) => {
    const { attributes } = await make({ context });
    expect(attributes).toMatchObject({ context, schema: 'sandbox', name: 'Warehouse' });
    expect(attributes.token).toMatch(pattern);
  });

  it('shows its secret once', async () => {
    const merchantToken = await make();
    const fetched = await api.client.fetch('merchant_tokens', merchantToken.id);
    expect(fetched.attributes).toEqual({ ...merchantToken.attributes, token: null });
    const { body } = await api.client.get('/v2/merchant_tokens');
    expect(body.data.every(({ attributes }: ResourceObject) => attributes.token === null)).toBe(
      true,
    );
  });

  it('gives access to the interface of its merchant', async () => {
    const { attributes, id } = await make();
    const { status, body } = await api.as(attributes.token).get(`/v2/merchant_tokens/${id}`);
    expect([status, body.data.id]).toEqual([200, id]);
  });

  it('has the mode of the key that creates it', async () => {
    const { attributes } = await api.live.make('merchant_tokens', validAttributes);
    expect([attributes.schema, attributes.token.startsWith('ept_live_s')]).toEqual(['live', true]);
  });

  it('is served with its expiry', async () => {
    const { attributes } = await make({ expiry: '2100-01-01T00:00:00+02:00' });
    expect(attributes.expiry).toBe('2099-12-31T22:00:00.000000Z');
    expect((await api.as(attributes.token).get('/v2/customers')).status).toBe(200);
  });

  const makeAndFetch = async () => api.client.fetch('merchant_tokens', (await make()).id);

  describeRefusals(api, { type: 'merchant_tokens', validAttributes, make: makeAndFetch }, [
    ['no name', { name: undefined }, 'blank'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'too_long'],
    ['no context', { context: undefined }, 'blank'],
    ['a context that does not exist', { context: 'server' }, 'not_in_list'],
    ['a schema that does not exist', { schema: 'test' }, 'not_in_list'],
    ['the schema of the other mode', { schema: 'live' }, 'mode_mismatch'],
    ['a token of its own choice', { token: 'ept_sandbox_sMine' }, 'read_only'],
    ['an expiry that is no time', { expiry: 'tomorrow' }, 'invalid'],
    ['an expiry that is past', { expiry: '2000-01-01T00:00:00Z' }, 'invalid'],
    ['origins that are no list', { origins: 'https://shop.example' }, 'invalid'],
    ['21 origins', { origins: Array(21).fill('https://shop.example') }, 'too_long'],
    ['origins, as a secret key', { origins: ['https://shop.example'] }, 'invalid'],
  ]);

  it('can be renamed', async () => {
    const { id } = await make();
    const document = documentOf('merchant_tokens', { name: 'Till' }, {}, id);
    const answer = await api.client.send('PATCH', `/v2/merchant_tokens/${id}`, document);
    expect([answer.status, answer.body.data.attributes]).toMatchObject([
      200,
      { name: 'Till', token: null, context: 'secret' },
    ]);
    expect(JSON.stringify(answer.body)).not.toContain('token_hash');
  });
});

describe('a key that expires', () => {
  const expiry = '2100-01-01T00:00:00.000000Z';
  const makeExpiringClient = async () => api.as((await make({ expiry })).attributes.token);

  it('creates keys with its own expiry by default', async () => {
    const { attributes } = await (await makeExpiringClient()).make(
      'merchant_tokens',
      validAttributes,
    );
    expect(attributes.expiry).toBe(expiry);
  });

  it('creates keys that expire with it or before, never later', async () => {
    const client = await makeExpiringClient();
    const makeTokenUntil = (at: string) =>
      client.send(
        'POST',
        '/v2/merchant_tokens',
        documentOf('merchant_tokens', { ...validAttributes, expiry: at }),
      );
    expect((await makeTokenUntil('2099-12-31T23:59:59.999999Z')).status).toBe(201);
    expect((await makeTokenUntil(expiry)).status).toBe(201);
    const answer = await makeTokenUntil('2100-01-01T00:00:00.000001Z');
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [['invalid', '/data/attributes/expiry']],
    ]);
    expect(answer.body.errors?.[0]?.meta).toEqual({ latest: expiry });
  });
});

describe('the permissions of a key', () => {
  const permissionIds = new Map<string, string>();
  beforeAll(async () => {
    const { body } = await api.client.get('/v2/permissions?page[size]=500');
    for (const { id, attributes } of body.data) permissionIds.set(attributes.slug, id);
  });

  /** Requests a key with these permissions. */
  const makeWithPermissions = (
    client: Client,
    slugs: readonly string[],
    attributes: object = validAttributes,
  ) =>
    client.send('POST', '/v2/merchant_tokens?include=permissions', {
      data: {
        type: 'merchant_tokens',
        attributes,
        relationships: {
          permissions: {
            data: slugs.map((slug) => ({
              type: 'permissions',
              id: permissionIds.get(slug) ?? slug,
            })),
          },
        },
      },
    });
  const grantedSlugsOf = ({ body }: Answer): string[] =>
    (body.included ?? []).map(({ attributes }) => attributes.slug).toSorted();
  const makeLimitedClient = async (...slugs: string[]): Promise<Client> =>
    api.as((await makeWithPermissions(api.client, slugs)).body.data.attributes.token);
  const creatorPermissions = ['user.merchant_tokens.create', 'user.permissions.read'];

  it('are the given ones, and are enforced', async () => {
    const slugs = ['consumer.customers.create', 'consumer.customers.read'];
    const answer = await makeWithPermissions(api.client, slugs);
    expect([answer.status, grantedSlugsOf(answer)]).toEqual([201, slugs]);
    const client = api.as(answer.body.data.attributes.token);
    expect((await client.get('/v2/customers')).status).toBe(200);
    expect((await client.get('/v2/payment_demands')).status).toBe(403);
  });

  it('are all if its creator holds all and names none', async () => {
    const { id } = await make();
    const { body } = await api.client.get(
      `/v2/merchant_tokens/${id}/relationships/permissions?page[size]=500`,
    );
    expect(body.data).toHaveLength(permissionIds.size);
  });

  it('are those of its creator if none are named', async () => {
    const creator = await makeLimitedClient(...creatorPermissions, 'consumer.customers.read');
    const { attributes, id } = await creator.make('merchant_tokens', validAttributes);
    const { body } = await api.client.get(`/v2/merchant_tokens/${id}/relationships/permissions`);
    expect(
      body.data.map((permission: ResourceObject) => permission.attributes.slug).toSorted(),
    ).toEqual([...creatorPermissions, 'consumer.customers.read'].toSorted());
    expect((await api.as(attributes.token).get('/v2/customers')).status).toBe(200);
    expect((await api.as(attributes.token).get('/v2/payment_demands')).status).toBe(403);
  });

  it('may be none', async () => {
    const answer = await makeWithPermissions(api.client, []);
    expect([answer.status, grantedSlugsOf(answer)]).toEqual([201, []]);
    const client = api.as(answer.body.data.attributes.token);
    expect((await client.get('/v2/customers')).status).toBe(403);
  });

  it('never exceed those of its creator: the refusal names the first that does', async () => {
    const creator = await makeLimitedClient(...creatorPermissions, 'consumer.customers.read');
    expect((await makeWithPermissions(creator, ['consumer.customers.read'])).status).toBe(201);
    const countBefore = await countOf(api, 'merchant_tokens');
    const answer = await makeWithPermissions(creator, [
      'consumer.customers.read',
      'consumer.customers.update',
    ]);
    expect([answer.status, errorsOf(answer)]).toEqual([
      403,
      [['forbidden', '/data/relationships/permissions']],
    ]);
    expect(answer.body.errors?.[0]).toMatchObject({
      detail:
        'Only a key or member with the permission consumer.customers.update can grant it. Leave it out.',
      meta: { required_permission: 'consumer.customers.update' },
    });
    expect(await countOf(api, 'merchant_tokens')).toBe(countBefore);
  });

  it('that do not exist are refused with the list of slugs', async () => {
    const answer = await makeWithPermissions(api.client, ['consumer.customers.read', UNKNOWN_ID]);
    expect([answer.status, errorsOf(answer)]).toEqual([
      404,
      [['relationship_not_found', '/data/relationships/permissions']],
    ]);
    expect(answer.body.errors?.[0]?.meta?.slugs).toEqual(
      expect.arrayContaining([...permissionIds.keys()]),
    );
  });

  it('are never held by a publishable key', async () => {
    const attributes = { ...validAttributes, context: 'browser' };
    const answer = await makeWithPermissions(api.client, ['consumer.customers.read'], attributes);
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [['invalid', '/data/relationships/permissions']],
    ]);
    expect((await makeWithPermissions(api.client, [], attributes)).status).toBe(201);
  });
});

describe('a key is revoked', () => {
  const revoke = (client: Client, id: string) =>
    client.send('PATCH', `/v2/merchant_tokens/${id}/revoke`);

  it('once: it expires, and another revocation changes nothing', async () => {
    const { id, attributes } = await make();
    const firstAnswer = await revoke(api.client, id);
    expect(firstAnswer.status).toBe(200);
    const { expiry, revoked_at } = firstAnswer.body.data.attributes;
    expect(expiry <= new Date().toISOString()).toBe(true);
    expect(revoked_at).toBe(expiry);
    expect((await api.as(attributes.token).get('/v2/customers')).status).toBe(401);
    const repeatedAnswer = await revoke(api.client, id);
    expect([repeatedAnswer.status, repeatedAnswer.body.data]).toEqual([200, firstAnswer.body.data]);
  });

  it('before its expiry', async () => {
    const { id, attributes } = await make({ expiry: '2100-01-01T00:00:00Z' });
    expect((await revoke(api.client, id)).status).toBe(200);
    expect((await api.as(attributes.token).get('/v2/customers')).status).toBe(401);
  });

  it('by a request with the key itself', async () => {
    const { id, attributes } = await make();
    const client = api.as(attributes.token);
    expect((await revoke(client, id)).status).toBe(200);
    expect((await revoke(client, id)).status).toBe(401);
  });

  it('again only with a matching If-Match, or with the same idempotency key', async () => {
    const { id } = await make();
    const path = `/v2/merchant_tokens/${id}`;
    const staleTag = (await api.client.get(path)).headers.get('etag');
    await revoke(api.client, id);
    const send = (headers: Record<string, string | null>) =>
      api.client.send('PATCH', `${path}/revoke`, undefined, headers);
    const lateAnswer = await send({ 'if-match': staleTag });
    expect([lateAnswer.status, errorsOf(lateAnswer)]).toEqual([
      412,
      [['stale_record', 'If-Match']],
    ]);
    const keyHeader = { 'idempotency-key': `revoke ${id}` };
    expect((await send(keyHeader)).headers.get('idempotent-replayed')).toBeNull();
    expect((await send(keyHeader)).headers.get('idempotent-replayed')).toBe('true');
  });

  it('by no key with fewer permissions: the refusal names the missing ones', async () => {
    const merchant = await api.fixtures.getDemoMerchant();
    const ownPermissions = ['user.merchant_tokens.update', 'consumer.customers.read'];
    const client = api.as(await merchant.makeKey({ permissions: ownPermissions }));
    const { body } = await api.client.get('/v2/permissions?page[size]=500');
    const permissionOf = (slug: string) =>
      body.data.find(({ attributes }: ResourceObject) => attributes.slug === slug);
    const makeLimitedToken = (...slugs: string[]) =>
      api.client.make('merchant_tokens', validAttributes, { permissions: slugs.map(permissionOf) });
    const widerToken = await makeLimitedToken(
      'consumer.customers.read',
      'consumer.customers.update',
    );
    const refusedTokens: [ResourceObject, unknown][] = [
      [await make(), expect.any(String)],
      [widerToken, 'consumer.customers.update'],
    ];
    for (const [{ id, attributes }, missingPermission] of refusedTokens) {
      const answer = await revoke(client, id);
      expect([answer.status, errorsOf(answer)]).toEqual([403, [['forbidden', undefined]]]);
      expect(answer.body.errors?.[0]?.meta).toEqual({ required_permission: missingPermission });
      expect((await api.as(attributes.token).get('/v2/customers')).status).toBe(200);
    }
    const revocableTokens = [
      await makeLimitedToken('consumer.customers.read'),
      await make({ context: 'browser' }),
    ];
    for (const { id } of revocableTokens) expect((await revoke(client, id)).status).toBe(200);
  });

  it('by no key of another mode or merchant', async () => {
    const { id, attributes } = await make();
    const otherClient = api.as(await (await api.fixtures.makeMerchant()).makeKey());
    for (const client of [api.live, otherClient]) {
      const answer = await revoke(client, id);
      expect([answer.status, errorsOf(answer)]).toEqual([404, [['not_found', undefined]]]);
    }
    expect((await api.as(attributes.token).get('/v2/customers')).status).toBe(200);
  });

  it('without a webhook', async () => {
    const eventsBefore = await countOf(api, 'events');
    await revoke(api.client, (await make()).id);
    expect(await countOf(api, 'events')).toBe(eventsBefore);
  });
});

describe('the refusal of a key', () => {
  const fetchRefusal = async (key: string) => {
    const { status, body } = await api.as(key).get('/v2/customers');
    return [status, body.errors?.[0]?.code, body.errors?.[0]?.detail];
  };

  it('names the revocation and its time', async () => {
    const { id, attributes } = await make();
    const { body } = await api.client.send('PATCH', `/v2/merchant_tokens/${id}/revoke`);
    const { revoked_at } = body.data.attributes;
    const detail = `The key was revoked at ${revoked_at}. Use another key.`;
    expect(await fetchRefusal(attributes.token)).toEqual([401, 'unauthorized', detail]);
    const { body: tokenList } = await api.client.get(
      `/v2/merchant_tokens?filter[name]=Warehouse&page[size]=500`,
    );
    const listedToken = tokenList.data.find((token: ResourceObject) => token.id === id);
    expect(listedToken.attributes.revoked_at).toBe(revoked_at);
  });

  it('says that an unrevoked key expired', async () => {
    const { id, attributes } = await make();
    await api.fixtures.db.query('update merchant_tokens set expiry = created_at where id = $1', [
      id,
    ]);
    expect((await api.client.fetch('merchant_tokens', id)).attributes.revoked_at).toBeNull();
    expect(await fetchRefusal(attributes.token)).toEqual([
      401,
      'unauthorized',
      expect.stringMatching(/^The key expired at \S+Z\. Use another key\.$/),
    ]);
    await api.client.send('PATCH', `/v2/merchant_tokens/${id}/revoke`);
    expect((await api.client.fetch('merchant_tokens', id)).attributes.revoked_at).toBeNull();
  });

  it('of an unknown key says that it is unknown', async () => {
    const unknownDetail =
      'The key is unknown. Check that it is complete, and that it belongs to this server.';
    expect(await fetchRefusal(makeKey('sandbox', 'secret'))).toEqual([
      401,
      'unauthorized',
      unknownDetail,
    ]);
    expect(await fetchRefusal('ept_nothing')).toEqual([401, 'unauthorized', unknownDetail]);
  });
});

describe('a key is rotated', () => {
  const rotate = (id: string, attributes?: object, client = api.client) =>
    client.send(
      'PATCH',
      `/v2/merchant_tokens/${id}/rotate`,
      attributes && documentOf('merchant_tokens', attributes, {}, id),
    );
  const isAccepted = async ({ token }: ResourceObject['attributes']): Promise<boolean> =>
    (await api.as(token).get('/v2/customers')).status === 200;

  it('and the new one has its name and origins; both work for a day', async () => {
    const origins = ['https://shop.example'];
    const oldToken = await make({ context: 'browser', origins });
    const { status, body } = await rotate(oldToken.id);
    expect(status).toBe(200);
    expect(body.data.id).not.toBe(oldToken.id);
    expect(body.data.attributes).toMatchObject({ name: 'Warehouse', context: 'browser', origins });
    expect(body.data.attributes.token).toMatch(/^ept_sandbox_b/);
    expect(body.data.attributes).toMatchObject({ expiry: null, last_used_at: null });
    const { attributes } = await api.client.fetch('merchant_tokens', oldToken.id);
    const remainingMs = Date.parse(attributes.expiry) - Date.now();
    expect(Math.abs(remainingMs - 24 * 3_600_000)).toBeLessThan(60_000);
  });

  it("with the requested overlap, down to zero, and never beyond the old key's expiry", async () => {
    const expiry = '2100-01-01T00:00:00.000000Z';
    const oldToken = await make({ expiry });
    const firstToken = (await rotate(oldToken.id, { overlap_seconds: 3_600 })).body.data;
    expect(firstToken.attributes.expiry).toBe(expiry);
    expect([
      await isAccepted(oldToken.attributes),
      await isAccepted(firstToken.attributes),
    ]).toEqual([true, true]);
    const secondToken = (await rotate(oldToken.id, { overlap_seconds: 0 })).body.data;
    expect([
      await isAccepted(oldToken.attributes),
      await isAccepted(secondToken.attributes),
    ]).toEqual([false, true]);
    const answer = await rotate(oldToken.id);
    expect([answer.status, errorsOf(answer)]).toEqual([405, [['invalid_state', undefined]]]);
  });

  it('once for one idempotency key; a repeat does not show the new key again', async () => {
    const { id } = await make();
    const send = () =>
      api.client.send('PATCH', `/v2/merchant_tokens/${id}/rotate`, undefined, {
        'idempotency-key': `rotate ${id}`,
      });
    const [firstAnswer, repeatedAnswer] = [await send(), await send()];
    expect(repeatedAnswer.headers.get('idempotent-replayed')).toBe('true');
    expect(repeatedAnswer.body.data.id).toBe(firstAnswer.body.data.id);
    expect(repeatedAnswer.body.data.attributes.token).toBeNull();
  });

  it.each([-1, 7 * 86_400 + 1, 'a day'])('with no overlap of %s', async (overlap_seconds) => {
    const answer = await rotate((await make()).id, { overlap_seconds });
    expect(answer.status).toBe(422);
  });

  it('by no key with fewer permissions', async () => {
    const merchant = await api.fixtures.getDemoMerchant();
    const client = api.as(await merchant.makeKey({ permissions: ['user.merchant_tokens.update'] }));
    expect((await rotate((await make()).id, undefined, client)).status).toBe(403);
  });
});

describe('the use of a key', () => {
  it('is in its record, to the minute, without a new version', async () => {
    const { id, attributes } = await make();
    expect(attributes.last_used_at).toBeNull();
    await api.as(attributes.token).get('/v2/customers');
    const usedToken = await eventually(
      () => api.client.fetch('merchant_tokens', id),
      (record) => record.attributes.last_used_at !== null,
    );
    expect(Math.abs(Date.parse(usedToken.attributes.last_used_at) - Date.now())).toBeLessThan(
      60_000,
    );
    expect(usedToken.attributes.updated_at).toBe(attributes.updated_at);
  });
});
