import type { Resource } from '@florin/contract/resources/define-resource.ts';
import { type ResourceType, resources } from '@florin/contract/resources/index.ts';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/platform/database/row.ts';
import { useApi } from '../support/api.ts';
import {
  type Client,
  clientOver,
  documentOf,
  type ResourceObject,
  UNKNOWN_ID,
} from '../support/client.ts';
import { makerOf } from '../support/makers.ts';
import { openMember } from '../support/open-member.ts';
import { errorsOf } from '../support/resource-suite.ts';
import { routes } from '../support/routes.ts';

const api = useApi();

/** Tables that both modes write, with the reason why live mode reads nothing of the sandbox there. */
const SHARED_TABLES: Readonly<Record<string, string>> = {
  access_epoch: 'a number that makes processes read keys and settings again',
  access_tries: 'sign-ins of people',
  account_links: 'links in emails to people',
  account_letters: 'emails to people, such as an invitation into the sandbox',
  accounts: 'people',
  card_tries: 'each mode has subjects of its own',
  memberships: 'one from the sandbox is not valid in live mode',
  numbers: 'counters',
  sessions: 'sessions of people',
};

/** Rows that belong to the merchant, and not to its sandbox. */
async function readLiveRows(merchant_id: string): Promise<Readonly<Record<string, unknown>>> {
  const { db } = api.fixtures;
  const tables = await db.query(
    `select c.relname as name,
       exists (select from pg_attribute where attrelid = c.oid and attname = 'mode') as has_mode
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'merchant_id'
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace
     order by 1`,
    [],
  );
  const rows: Record<string, unknown> = {};
  for (const { name, has_mode } of tables as Row[]) {
    if (Object.hasOwn(SHARED_TABLES, name as string)) continue;
    const isLive = has_mode === 't' ? `and mode is distinct from 'sandbox'` : '';
    const [found] = await db.query(
      `select coalesce(json_agg(to_jsonb(r) - 'last_used_at' order by (to_jsonb(r) - 'last_used_at')::text), '[]')::text as rows from ${name} r where merchant_id = $1 ${isLive}`,
      [merchant_id],
    );
    rows[name as string] = JSON.parse(found?.rows as string);
  }
  const [merchant] = await db.query(
    'select row_to_json(m)::text as row from merchants m where id = $1',
    [merchant_id],
  );
  rows.merchants = withoutSandbox(JSON.parse(merchant?.row as string));
  return rows;
}

const withoutSandbox = (merchant: Record<string, unknown>): object =>
  Object.fromEntries(
    Object.entries(merchant).filter(
      ([name]) => !name.startsWith('sandbox_') && name !== 'updated_at',
    ),
  );

/** Everything that a live key reads of a type. */
async function readLive(): Promise<Readonly<Record<string, unknown>>> {
  const types = Object.keys(resources).filter((type) => !UNREAD.includes(type));
  const lists = types.map(async (type) => {
    const { body } = await api.live.get(`/v2/${type}?page[size]=500`);
    return [type, body.data.map(withoutUse)] as const;
  });
  return Object.fromEntries(await Promise.all(lists));
}

/** A key without the time of its last use, which is also that of this test. */
const withoutUse = ({ attributes, ...record }: ResourceObject): object => {
  const { last_used_at: _, ...rest } = attributes;
  return { ...record, attributes: rest };
};

/** Reads that live mode itself changes, and people. */
const UNREAD = ['api_requests', 'memberships', 'accounts', 'merchants'];

/** Writes at a type with valid documents: one of each create, update and action. */
async function writeAll(client: Client, type: ResourceType): Promise<[string, number][]> {
  const { operations, actions = {} }: Resource = resources[type];
  const maker = makerOf(type);
  const written: [string, number][] = [];
  const send = async (method: 'POST' | 'PATCH', path: string, body: object) => {
    const { status } = await client.send(method, path, body);
    written.push([`${method} ${path.replace(/[0-9a-f-]{36}/, '{id}')}`, status]);
  };
  if (operations.includes('create')) {
    const { attributes, relations = {} } = (await maker.makeDraft?.(client)) ?? { attributes: {} };
    await send('POST', `/v2/${type}`, documentOf(type, attributes, relations));
  }
  const record = async (): Promise<ResourceObject> => {
    if (maker.makeRecord) return maker.makeRecord(client, api.fixtures);
    const { attributes, relations = {} } = (await maker.makeDraft?.(client)) ?? { attributes: {} };
    return client.make(type, attributes, relations);
  };
  if (operations.includes('update')) {
    const { id } = await record();
    await send('PATCH', `/v2/${type}/${id}`, documentOf(type, maker.change ?? {}, {}, id));
  }
  for (const action of Object.keys(actions)) {
    const { id } = await (maker.makersByAction?.[action]?.(client) ?? record());
    const attributes = maker.attributesByAction?.[action] ?? {};
    await send('PATCH', `/v2/${type}/${id}/${action}`, documentOf(type, attributes, {}, id));
  }
  return written;
}

const writableTypes = [
  ...new Set(routes.filter(({ method }) => method !== 'GET').map(({ type }) => type)),
].filter((type) => resources[type].type === type);

/** Writes with the client. Live mode must read the same as before. */
async function expectApart(client: Client, type: ResourceType): Promise<void> {
  const { id } = await api.fixtures.getDemoMerchant();
  const [rowsBefore, liveBefore] = [await readLiveRows(id), await readLive()];
  const written = await writeAll(client, type);
  expect(written.length).toBeGreaterThan(0);
  expect(await readLive()).toEqual(liveBefore);
  expect(await readLiveRows(id)).toEqual(rowsBefore);
}

describe('a sandbox secret key', () => {
  it.each(writableTypes)('changes nothing that live mode reads by writing %s', (type) =>
    expectApart(api.client, type),
  );

  it('is told how to change what both modes share, and changes nothing', async () => {
    const [{ id, attributes: before }] = (await api.client.get('/v2/merchants')).body.data;
    const attributes = { dunning_days: 3, business_name: 'Mallory' };
    const answer = await api.client.send(
      'PATCH',
      `/v2/merchants/${id}`,
      documentOf('merchants', attributes, {}, id),
    );
    expect([answer.status, errorsOf(answer)]).toEqual([
      403,
      [['live_rights_required', '/data/attributes/business_name']],
    ]);
    expect((await api.client.fetch('merchants', id)).attributes).toEqual(before);
  });

  it('may send back what both modes share', async () => {
    const [{ id, attributes }] = (await api.client.get('/v2/merchants')).body.data;
    const { business_name } = attributes;
    const document = documentOf('merchants', { business_name, missed_periods: 'latest' }, {}, id);
    expect((await api.client.send('PATCH', `/v2/merchants/${id}`, document)).status).toBe(200);
  });
});

describe('a setting that each mode has for itself', () => {
  it.each([
    ['late_approvals', 'reverse'],
    ['dunning_days', 5],
    ['dunning_final_action', 'cancel'],
    ['missed_periods', 'latest'],
    ['accepted_currencies', ['USD', 'JPY']],
    ['amount_limits', [{ amount_currency: 'USD', min_cents: 200, max_cents: null }]],
    ['refused_mismatches', ['cvc_mismatch']],
    ['customer_permissions', ['cancel']],
    ['customers_may', ['change_card']],
  ])('is %s', async (name, value) => {
    const merchant = await api.fixtures.makeMerchant();
    const [sandbox, live] = [
      api.as(await merchant.makeKey()),
      api.as(await merchant.makeKey({ mode: 'live' })),
    ];
    const read = async (client: Client) =>
      (await client.fetch('merchants', merchant.id)).attributes[name];
    const before = await read(live);
    const write = (client: Client, written: unknown) =>
      client.send(
        'PATCH',
        `/v2/merchants/${merchant.id}`,
        documentOf('merchants', { [name]: written }, {}, merchant.id),
      );
    const answer = await write(sandbox, value);
    expect([answer.status, answer.body.data.attributes[name]]).toEqual([200, value]);
    expect([await read(sandbox), await read(live)]).toEqual([value, before]);
    expect((await write(live, value)).status).toBe(200);
    expect((await write(sandbox, before)).status).toBe(200);
    expect([await read(sandbox), await read(live)]).toEqual([before, value]);
  });
});

describe('a session of a member who has the sandbox only', () => {
  it.each(['legal_addresses', 'memberships', 'merchant_tokens', 'merchants'] as const)(
    'changes nothing that live mode reads by writing %s',
    async (type) => {
      const { id } = await api.fixtures.getDemoMerchant();
      const permissions = [...new Set(routes.flatMap((route) => route.permissions))];
      const { browser, id: account } = await openMember(api, { merchant_id: id, permissions });
      await api.fixtures.db.query(
        `update memberships set invited_mode = 'sandbox' where account_id = $1 returning 1`,
        [account],
      );
      const scope = { 'florin-merchant': id, 'florin-mode': 'sandbox' };
      const client = clientOver((method, path, body, headers) =>
        browser.send(method, path, body, { ...headers, ...scope }),
      );
      await expectApart(client, type);
    },
  );
});

describe('a publishable key of the sandbox', () => {
  it('writes nothing', async () => {
    const client = api.as(api.stack.credentials.sandbox.publishable_key);
    const writes = routes.filter(({ method }) => method !== 'GET');
    const answers = await Promise.all(
      writes.map(({ method, template, bodyFor }) =>
        client.send(method, template.replace('{id}', UNKNOWN_ID), bodyFor(UNKNOWN_ID)),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]));
  });
});
