import { permissionSlug, permissionsOf } from '@florin/contract/permissions.ts';
import type { Resource } from '@florin/contract/resources/define-resource.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { type Answer, documentOf, NOBODY, type ResourceObject } from '../support/client.ts';

const api = useOwnStack();
const types: readonly Resource[] = Object.values(resources);
const catalogue = permissionsOf(resources);

/** A request with its required permissions. */
interface Operation {
  readonly method: string;
  readonly path: string;
  readonly needs: readonly string[];
}

/**
 * Every operation of every type, but relationships. Unknown ids suffice: permissions are checked first. matrix.test.ts
 * tests every route with all permissions except the required one.
 */
const operations: readonly Operation[] = types.flatMap((resource) => {
  const { type, operations: declared, actions = {}, relations } = resource;
  const record = `/v2/${type}/${NOBODY}`;
  const [read, create, update] = (['read', 'create', 'update'] as const).map((access) =>
    permissionSlug(resource, access),
  ) as [string, string, string];
  const readOf = (to: string) => permissionSlug(resources[to as keyof typeof resources], 'read');
  const all = {
    list: [{ method: 'GET', path: `/v2/${type}`, needs: [read] }],
    fetch: [{ method: 'GET', path: record, needs: [read] }],
    create: [{ method: 'POST', path: `/v2/${type}`, needs: [create] }],
    update: ['PATCH', 'PUT'].map((method) => ({ method, path: record, needs: [update] })),
  };
  return [
    ...declared.flatMap((operation) => all[operation]),
    ...Object.keys(actions).map((name) => ({
      method: 'PATCH',
      path: `${record}/${name}`,
      needs: [update],
    })),
    // The definition alone decides what an include needs, so one of each type suffices.
    ...Object.entries(relations)
      .slice(0, 1)
      .map(([name, { to }]) => ({
        method: 'GET',
        path: `/v2/${type}?include=${name}`,
        needs: [read, readOf(to)],
      })),
  ];
});

const keyWith = async (...permissions: string[]) =>
  api.as(await (await api.fixtures.demo()).key({ permissions }));

describe('the permissions', () => {
  it('cover every type, and each is needed by an operation', () => {
    const needed = new Set(operations.flatMap(({ needs }) => needs));
    expect(catalogue.map(({ slug }) => slug).toSorted()).toEqual([...needed].toSorted());
    expect(needed).toContain('developer.webhook_subscriptions.update');
    expect(operations.length).toBeGreaterThan(40);
  });

  it('have descriptions', async () => {
    const { body } = await api.client.get('/v2/permissions?page[size]=500');
    const served = body.data.map(({ attributes: { slug, description } }: ResourceObject) => ({
      slug,
      description,
    }));
    const bySlug = (a: { slug: string }, b: { slug: string }) => (a.slug < b.slug ? -1 : 1);
    expect(served.toSorted(bySlug)).toEqual(catalogue.toSorted(bySlug));
  });

  it('keep their ids at a start, and unknown ones remain: a newer version may run as well', async () => {
    const newer = 'consumer.wishes.read';
    await api.fixtures.db.query(
      `insert into permissions (id, slug, description, created_at, updated_at)
       values (gen_random_uuid(), $1, 'List wishes', now(), now())`,
      [newer],
    );
    const idsBySlug = async (): Promise<Record<string, string>> =>
      Object.fromEntries(
        (await api.client.get('/v2/permissions?page[size]=500')).body.data.map(
          ({ id, attributes }: ResourceObject) => [attributes.slug, id],
        ),
      );
    const before = await idsBySlug();
    expect(before).toHaveProperty([newer]);
    await api.stack.restart('server');
    expect(await idsBySlug()).toEqual(before);
    await api.fixtures.db.query('delete from permissions where slug = $1', [newer]);
  });

  it.each(catalogue.map(({ slug }) => slug))(
    '%s alone allows its operations, except to include records that it does not permit',
    async (slug) => {
      const client = await keyWith(slug);
      const own = operations.filter(({ needs: [first] }) => first === slug);
      const answers = await Promise.all(own.map(({ method, path }) => client.send(method, path)));
      expect(answers.map(refusalOf)).toEqual(
        own.map(({ needs }) => needs.find((needed) => needed !== slug)),
      );
    },
  );

  it('are needed by PUT as well', async () => {
    const client = await keyWith();
    const puts = operations.filter(({ method }) => method === 'PUT');
    const answers = await Promise.all(puts.map(({ method, path }) => client.send(method, path)));
    expect(answers.map(refusalOf)).toEqual(puts.map(({ needs: [needed] }) => needed));
    expect(puts.length).toBeGreaterThan(10);
  });
});

/** The missing permission that a 403 names. */
function refusalOf({ status, body }: Answer): unknown {
  if (status !== 403) return undefined;
  const [error] = body.errors ?? [];
  expect(error?.code).toBe('forbidden');
  expect(error?.detail).toMatch(/^Token does not have permission to access \w+\. It needs \S+\.$/);
  expect(error?.detail).toContain(` ${error?.meta?.required_permission}.`);
  return error?.meta?.required_permission;
}

describe('a permission to create', () => {
  it('shows the created document, and no other', async () => {
    const client = await keyWith('consumer.customers.create');
    const document = documentOf('customers', { email: 'ada@example.com' });
    const made = await client.send('POST', '/v2/customers', document);
    expect([made.status, made.body.data.attributes.email]).toEqual([201, 'ada@example.com']);
    expect(refusalOf(await client.get(`/v2/customers/${made.body.data.id}`))).toBe(
      'consumer.customers.read',
    );
  });

  it('includes nothing that it does not permit: such a create stores nothing', async () => {
    const client = await keyWith('transaction.payment_demands.create');
    const attributes = { amount_cents: 7_777, amount_currency: 'USD' };
    const document = documentOf('payment_demands', attributes);
    const answer = await client.send('POST', '/v2/payment_demands?include=payer', document);
    expect(refusalOf(answer)).toBe('consumer.customers.read');
    const { body } = await api.client.get('/v2/payment_demands?filter[amount_cents]=7777');
    expect(body.data).toEqual([]);
  });
});

describe('a publishable key', () => {
  it('gets the missing permission, and the advice to use the secret key', async () => {
    const client = api.as(api.stack.credentials.sandbox.publishable_key);
    const answer = await client.get('/v2/payment_demands');
    expect(refusalOf(answer)).toBe('transaction.payment_demands.read');
    expect(answer.body.errors?.[0]?.meta?.hint).toMatch(/secret key/);
  });
});
