import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { useApi } from '../../support/api.ts';
import { type Client, documentOf, type ResourceObject, UNKNOWN_ID } from '../../support/client.ts';
import {
  address,
  eventually,
  makeAddress,
  makeCustomer,
  makeDemand,
  recurringPurchase,
} from '../../support/make.ts';

/** The attacker has a merchant's sandbox key, and ids of live records. */
const api = useApi();

type Counts = Readonly<Record<string, number>>;

/** Counts by mode of the key and access. */
async function readCounts(): Promise<Counts> {
  const text = await (await fetch(`${api.stack.baseUrl}/metrics`)).text();
  const series = text.matchAll(
    /^florin_mode_crossings_total\{access="(\w+)",key="(\w+)"\} (\d+)$/gm,
  );
  return Object.fromEntries(
    [...series].map(([, access, key, count]) => [`${key} ${access}`, Number(count)]),
  );
}

const waitForCounts = (before: Counts, added: Counts) =>
  eventually(readCounts, (counts) =>
    Object.entries(added).every(
      ([name, count]) => (counts[name] ?? 0) >= (before[name] ?? 0) + count,
    ),
  );

async function readEntries(mode: string): Promise<unknown[]> {
  const { id } = await api.fixtures.getDemoMerchant();
  const rows = await api.fixtures.db.query(
    `select entry from audit_log where entry like $1 and entry like $2 order by seq`,
    [`%refused: ${mode} key on a%`, `%${id}%`],
  );
  return rows.map(({ entry }) => JSON.parse(entry as string));
}

it('an alarm that the audit log did not take is raised by the next request', async () => {
  const { id } = await makeCustomer(api.live);
  const readLive = () => api.client.get(`/v2/customers/${id}`);
  const query = (sql: string) => api.fixtures.db.query(sql, []);
  const { id: merchant_id } = await api.fixtures.getDemoMerchant();
  // A sequence counts the refusals, because their transactions end without effect.
  await query('create sequence refused_entries');
  await query(`create function refuse_entry() returns trigger language plpgsql security definer as $$
    begin perform nextval('refused_entries'); raise 'full'; end $$`);
  await query(`create trigger refuse before insert on audit_log for each row
    when (new.entry like '%${merchant_id}%') execute function refuse_entry()`);
  expect((await readLive()).status).toBe(404);
  await eventually(
    async () => (await query('select is_called from refused_entries'))[0]?.is_called,
    (isCalled) => isCalled === 't',
  );
  await query('drop function refuse_entry cascade');
  await query('drop sequence refused_entries');
  expect(await readEntries('sandbox')).toEqual([]);
  // The refusal may still be on its way to the server. A minute later the alarm would be due again in any case.
  for (let tries = 0; tries < 20 && (await readEntries('sandbox')).length === 0; tries++) {
    await readLive();
    await setTimeout(100);
  }
  expect(await readEntries('sandbox')).toHaveLength(1);
});

it('an id of the other mode in an address gets 404, and is counted, logged and audited', async () => {
  const live = await makeCustomer(api.live);
  const sandbox = await makeCustomer(api.client);
  const before = await readCounts();
  expect(Object.keys(before).sort()).toEqual([
    'live read',
    'live write',
    'sandbox read',
    'sandbox write',
  ]);
  const rename = (client: Client, id: string) =>
    client.send(
      'PATCH',
      `/v2/customers/${id}`,
      documentOf('customers', { name: 'Mallory' }, {}, id),
    );
  const answers = [
    await rename(api.client, live.id),
    await rename(api.client, UNKNOWN_ID),
    await rename(api.live, sandbox.id),
    await api.client.get(`/v2/customers/${live.id}`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  const after = await waitForCounts(before, {
    'sandbox read': 1,
    'sandbox write': 1,
    'live write': 1,
  });
  // An id that nobody has is no crossing.
  expect(after['sandbox write']).toBe((before['sandbox write'] ?? 0) + 1);
  expect((await api.live.fetch('customers', live.id)).attributes.name).toBe('Ada');
  for (const [mode, other] of [
    ['sandbox', 'live'],
    ['live', 'sandbox'],
  ] as const)
    expect(
      await eventually(
        () => readEntries(mode),
        (entries) => entries.length > 0,
      ),
    ).toMatchObject([
      {
        command: `refused: ${mode} key on a ${other} record`,
        subject: expect.stringMatching(/^(PATCH|GET) customers of merchant /),
        user: expect.stringMatching(/^key /),
      },
    ]);
});

describe('an id of the other mode in a body', () => {
  let other: Readonly<Record<string, ResourceObject>>;
  beforeAll(async () => {
    const payment_demand = await makeDemand(api.client);
    await moveToLive(payment_demand);
    const payer = await makeCustomer(api.live);
    const billing_address = await makeAddress(api.live, {}, { customer: payer });
    other = { payment_demand, payer, billing_address };
  });

  /** Live mode of a test has no processor, so it takes no payments. */
  const moveToLive = ({ id }: { readonly id: string }) =>
    api.fixtures.db.query(`update payment_demands set mode = 'live' where id = $1`, [id]);

  const amount = { amount_cents: 100, amount_currency: 'USD' };
  test.each([
    [
      'refund_demands',
      { ...amount, reason: 'duplicate_charge' },
      'payment_demand',
      'payment_demand',
    ],
    ['capture_demands', amount, 'payment_demand', 'payment_demand'],
    ['payment_demands', amount, 'payer', 'payer'],
    ['payment_demands', amount, 'billing_address', 'billing_address'],
    ['payment_subscriptions', recurringPurchase, 'payer', 'payer'],
    ['consumer_addresses', address, 'customer', 'payer'],
  ])('%s is refused, counted, and changes nothing', async (type, attributes, name, target) => {
    const countRows = async () =>
      (await api.fixtures.db.query(`select count(*) as count from ${type}`, []))[0]?.count;
    const send = (record: { readonly type: string; readonly id: string }) =>
      api.client.send('POST', `/v2/${type}`, documentOf(type, attributes, { [name]: record }));
    const [before, rows] = [await readCounts(), await countRows()];
    const record = other[target] as ResourceObject;
    const unknown = await send({ type: record.type, id: UNKNOWN_ID });
    const { status, body } = await send(record);
    expect([status, body.errors?.map(({ code, detail }) => [code, detail])]).toEqual([
      404,
      unknown.body.errors?.map(({ code, detail }) => [code, detail]),
    ]);
    const after = await waitForCounts(before, { 'sandbox write': 1 });
    expect(after['sandbox write']).toBe((before['sandbox write'] ?? 0) + 1);
    expect(await countRows()).toBe(rows);
  });
});
