import type { Resource } from '@florin/contract/resources/define-resource.ts';
import { type ResourceType, resources } from '@florin/contract/resources/index.ts';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Answer, type Client, documentOf, type ResourceObject } from '../support/client.ts';
import { makerOf } from '../support/makers.ts';
import { errorsOf, patch } from '../support/resource-suite.ts';

const api = useApi();

/** Creates a merchant. Returns its clients in both modes. */
async function makeMerchantClients(): Promise<{ client: Client; live: Client }> {
  const merchant = await api.fixtures.makeMerchant();
  return {
    client: api.as(await merchant.makeKey()),
    live: api.as(await merchant.makeKey({ mode: 'live' })),
  };
}

/** Prepares a create of the type. Returns a function that sends it. */
async function prepareCreate(type: ResourceType, client: Client, key: string | null = null) {
  const { attributes = {}, relations } = (await makerOf(type).makeDraft?.(client)) ?? {};
  const body = documentOf(type, attributes, relations);
  return () => client.send('POST', `/v2/${type}`, body, { 'idempotency-key': key });
}

const create = async (type: ResourceType, client: Client): Promise<Answer> =>
  (await prepareCreate(type, client))();

/** Columns in which copies of a row must differ, as SQL. */
const uniqueColumns: Readonly<Record<string, string>> = {
  id: 'gen_random_uuid()',
  token_hash: 'sha256(uuid_send(gen_random_uuid()))',
  url: `'http://localhost:9/' || gen_random_uuid()`,
};

/** Copies a record several times. */
async function copyRecord({ type, id }: ResourceObject, times: number): Promise<void> {
  const columns = await api.fixtures.db.query(
    'select column_name from information_schema.columns where table_name = $1',
    [type],
  );
  const names = columns.map(({ column_name }) => column_name as string);
  await api.fixtures.db.query(
    `insert into ${type} (${names.join(', ')})
     select ${names.map((name) => uniqueColumns[name] ?? name).join(', ')}
     from ${type}, generate_series(1, $2::int) where id = $1`,
    [id, times],
  );
}

const types: readonly Resource[] = Object.values(resources);
/** Rows that cannot be copied: accounts and customers have one each, and owners hold at most 100 percent together. */
const NOT_COPIED = ['memberships', 'sandbox_clocks', 'beneficial_owners'];
const copiedTypes = types.filter(
  ({ type, few, operations }) =>
    few !== undefined && operations.includes('create') && !NOT_COPIED.includes(type),
);

describe('types with a record limit:', () => {
  it('a merchant has hundreds at most', () => {
    expect(copiedTypes.length).toBeGreaterThan(4);
    for (const { few } of types) if (few !== undefined) expect(few).toBeLessThanOrEqual(500);
  });

  it.each(
    copiedTypes.map(
      ({ type, few, owner }) => [type as ResourceType, few as number, owner] as const,
    ),
  )('%s are limited to %i', async (type, limit, owner) => {
    const { client, live } = await makeMerchantClients();
    const sendFirst = await prepareCreate(type, client, 'the first');
    await copyRecord((await sendFirst()).body.data, limit);
    const refusal = await create(type, client);
    expect([refusal.status, errorsOf(refusal)]).toEqual([422, [['limit_reached', '/data']]]);
    expect(refusal.body.errors?.[0]?.meta).toEqual({ limit });
    const liveCode = (await create(type, live)).body.errors?.[0]?.code;
    expect(liveCode === 'limit_reached').toBe(owner !== 'mode');
    expect((await create(type, api.client)).status).toBe(201);
    expect((await sendFirst()).headers.get('idempotent-replayed')).toBe('true');
  });

  it('ended records are not counted', async () => {
    const { client } = await makeMerchantClients();
    const limit = resources.webhook_subscriptions.few;
    const send = async () => (await create('webhook_subscriptions', client)).status;
    const subscription = (await create('webhook_subscriptions', client)).body.data;
    for (let count = 1; count < limit; count++) expect(await send()).toBe(201);
    expect(await send()).toBe(422);
    await patch({ client }, subscription, { status: 'archived' });
    expect([await send(), await send()]).toEqual([201, 422]);
  });
});
