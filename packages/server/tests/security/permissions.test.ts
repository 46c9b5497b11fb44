import { permissionSlug, permissionsOf } from '@florin/contract/permissions.ts';
import type { Resource } from '@florin/contract/resources/define-resource.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { type Answer, documentOf, type ResourceObject, UNKNOWN_ID } from '../support/client.ts';

const api = useOwnStack();
const types: readonly Resource[] = Object.values(resources);
const catalogue = permissionsOf(resources);

/** A request with its required permissions. */
interface Operation {
  readonly method: string;
  readonly path: string;
  readonly requiredSlugs: readonly string[];
}

/**
 * Every operation of every type, except relationships. Unknown ids suffice: permissions are checked first. matrix.test.ts
 * tests every route with all permissions except the required one.
 */
const operations: readonly Operation[] = types.flatMap((resource) => {
  const { type, operations: declaredOperations, actions = {}, relations, contents } = resource;
  const recordPath = `/v2/${type}/${UNKNOWN_ID}`;
  const [readSlug, createSlug, updateSlug] = (['read', 'create', 'update'] as const).map((access) =>
    permissionSlug(resource, access),
  ) as [string, string, string];
  const readSlugOf = (to: string) =>
    permissionSlug(resources[to as keyof typeof resources], 'read');
  const requestsByOperation = {
    list: [{ method: 'GET', path: `/v2/${type}`, requiredSlugs: [readSlug] }],
    fetch: [{ method: 'GET', path: recordPath, requiredSlugs: [readSlug] }],
    create: [{ method: 'POST', path: `/v2/${type}`, requiredSlugs: [createSlug] }],
    update: ['PATCH', 'PUT'].map((method) => ({
      method,
      path: recordPath,
      requiredSlugs: [updateSlug],
    })),
  };
  const uploads = contents
    ? [
        {
          method: 'POST',
          path: `/v2/${contents.parent}/${UNKNOWN_ID}/${contents.path}`,
          requiredSlugs: [createSlug],
        },
      ]
    : [];
  return [
    ...uploads,
    ...declaredOperations.flatMap((operation) => requestsByOperation[operation]),
    ...Object.keys(actions).map((name) => ({
      method: 'PATCH',
      path: `${recordPath}/${name}`,
      requiredSlugs: [updateSlug],
    })),
    // The definition alone decides what an include needs, so one of each type suffices.
    ...Object.entries(relations)
      .slice(0, 1)
      .map(([name, { to }]) => ({
        method: 'GET',
        path: `/v2/${type}?include=${name}`,
        requiredSlugs: [readSlug, readSlugOf(to)],
      })),
  ];
});

const makeClientWith = async (...permissions: string[]) =>
  api.as(await (await api.fixtures.getDemoMerchant()).makeKey({ permissions }));

describe('the permissions', () => {
  it('cover every type, and each is needed by an operation', () => {
    const neededSlugs = new Set(operations.flatMap(({ requiredSlugs }) => requiredSlugs));
    expect(catalogue.map(({ slug }) => slug).toSorted()).toEqual([...neededSlugs].toSorted());
    expect(neededSlugs).toContain('developer.webhook_subscriptions.update');
    expect(operations.length).toBeGreaterThan(40);
  });

  it('have descriptions', async () => {
    const { body } = await api.client.get('/v2/permissions?page[size]=500');
    const servedPermissions = body.data.map(
      ({ attributes: { slug, description } }: ResourceObject) => ({
        slug,
        description,
      }),
    );
    const compareBySlug = (a: { slug: string }, b: { slug: string }) => (a.slug < b.slug ? -1 : 1);
    expect(servedPermissions.toSorted(compareBySlug)).toEqual(catalogue.toSorted(compareBySlug));
  });

  it('keep their ids at a start, and unknown ones remain: a newer version may run as well', async () => {
    const newerSlug = 'consumer.wishes.read';
    await api.fixtures.db.query(
      `insert into permissions (id, slug, description, created_at, updated_at)
       values (gen_random_uuid(), $1, 'List wishes', now(), now())`,
      [newerSlug],
    );
    const readIdsBySlug = async (): Promise<Record<string, string>> =>
      Object.fromEntries(
        (await api.client.get('/v2/permissions?page[size]=500')).body.data.map(
          ({ id, attributes }: ResourceObject) => [attributes.slug, id],
        ),
      );
    const idsBefore = await readIdsBySlug();
    expect(idsBefore).toHaveProperty([newerSlug]);
    await api.stack.restart('server');
    expect(await readIdsBySlug()).toEqual(idsBefore);
    await api.fixtures.db.query('delete from permissions where slug = $1', [newerSlug]);
  });

  it.each(catalogue.map(({ slug }) => slug))(
    '%s alone allows its operations, except to include records that it does not permit',
    async (slug) => {
      const client = await makeClientWith(slug);
      const ownOperations = operations.filter(({ requiredSlugs: [first] }) => first === slug);
      const answers = await Promise.all(
        ownOperations.map(({ method, path }) => client.send(method, path)),
      );
      expect(answers.map(missingPermissionOf)).toEqual(
        ownOperations.map(({ requiredSlugs }) =>
          requiredSlugs.find((neededSlug) => neededSlug !== slug),
        ),
      );
    },
  );

  it('are needed by PUT as well', async () => {
    const client = await makeClientWith();
    const puts = operations.filter(({ method }) => method === 'PUT');
    const answers = await Promise.all(puts.map(({ method, path }) => client.send(method, path)));
    expect(answers.map(missingPermissionOf)).toEqual(
      puts.map(({ requiredSlugs: [neededSlug] }) => neededSlug),
    );
    expect(puts.length).toBeGreaterThan(10);
  });
});

/** The missing permission that a 403 names. */
function missingPermissionOf({ status, body }: Answer): unknown {
  if (status !== 403) return undefined;
  const [error] = body.errors ?? [];
  expect(error?.code).toBe('forbidden');
  expect(error?.detail).toMatch(/^Token does not have permission to access \w+\. Required: \S+\.$/);
  expect(error?.detail).toContain(` ${error?.meta?.required_permission}.`);
  return error?.meta?.required_permission;
}

describe('a permission to create', () => {
  it('shows the created document, and no other', async () => {
    const client = await makeClientWith('consumer.customers.create');
    const document = documentOf('customers', { email: 'ada@example.com' });
    const answer = await client.send('POST', '/v2/customers', document);
    expect([answer.status, answer.body.data.attributes.email]).toEqual([201, 'ada@example.com']);
    expect(missingPermissionOf(await client.get(`/v2/customers/${answer.body.data.id}`))).toBe(
      'consumer.customers.read',
    );
  });

  it('includes nothing that it does not permit: such a create stores nothing', async () => {
    const client = await makeClientWith('transaction.payment_demands.create');
    const attributes = { amount_cents: 7_777, amount_currency: 'USD' };
    const document = documentOf('payment_demands', attributes);
    const answer = await client.send('POST', '/v2/payment_demands?include=payer', document);
    expect(missingPermissionOf(answer)).toBe('consumer.customers.read');
    const { body } = await api.client.get('/v2/payment_demands?filter[amount_cents]=7777');
    expect(body.data).toEqual([]);
  });
});

describe('a publishable key', () => {
  it('gets the missing permission, and the advice to use the secret key', async () => {
    const client = api.as(api.stack.credentials.sandbox.publishable_key);
    const answer = await client.get('/v2/payment_demands');
    expect(missingPermissionOf(answer)).toBe('transaction.payment_demands.read');
    expect(answer.body.errors?.[0]?.meta?.hint).toMatch(/secret key/);
  });
});
