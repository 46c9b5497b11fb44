import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/platform/database/db.ts';
import { useOwnStack } from '../support/api.ts';
import { type Answer, type Client, documentOf } from '../support/client.ts';
import { makeDemand } from '../support/make.ts';
import { errorsOf } from '../support/resource-suite.ts';

const WAITING_MAX = 8;
const api = useOwnStack({ config: { waiting_max: WAITING_MAX } });

/** Locks a table against reads until it is released. */
async function holdTable(db: Database, table: string): Promise<{ release(): Promise<void> }> {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = db.transaction(async (tx) => {
    await tx.query(`lock table ${table} in access exclusive mode`, []);
    held.resolve();
    await released.promise;
  });
  await Promise.race([held.promise, holding]);
  return {
    release() {
      released.resolve();
      return holding;
    },
  };
}

/** Waits until the server's statements wait for a table. */
async function someWait(db: Database): Promise<void> {
  const sql = `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while (Number((await db.query(sql, []))[0]?.count) < 4) await sleep(10);
}

describe('forty slow lists of one merchant', () => {
  const slowPath = (size: number) => `/v2/legal_addresses?filter[city][like]=x&page[size]=${size}`;
  let other: Client;
  beforeAll(async () => {
    other = api.as(await (await api.fixtures.makeMerchant()).key());
  });

  it('do not delay other merchants, and are refused in the end', async () => {
    const made = await makeDemand(other);
    const hold = await holdTable(api.fixtures.db, 'legal_addresses');
    const answered: Answer[] = [];
    const lists = Array.from({ length: 40 }, async (_, at) => {
      answered.push(await api.client.get(slowPath(at + 1)));
    });
    try {
      await someWait(api.fixtures.db);
      for (let time = 0; time < 5; time++) {
        await makeDemand(other);
        const path = `/v2/payment_demands/${made.id}`;
        const read = await Promise.all([path, '/v2/payment_demands'].map((at) => other.get(at)));
        expect(read.map(({ status }) => status)).toEqual([200, 200]);
      }
      // The merchant itself can still be paid too.
      await makeDemand(api.client);
      expect(answered).toEqual([]);
      await Promise.all(lists);
    } finally {
      await hold.release();
    }
    const outcomes = answered.map((answer) => [
      answer.status,
      errorsOf(answer)[0]?.[0],
      answer.headers.get('retry-after'),
    ]);
    const tooCostly = [400, 'query_too_costly', null];
    const overloaded = [503, 'overloaded', '1'];
    expect([tooCostly, overloaded]).toEqual(expect.arrayContaining(outcomes));
    expect(outcomes).toContainEqual(overloaded);
    expect((await api.client.get(slowPath(1))).status).toBe(200);
  });
});

describe('a merchant that creates more customers concurrently than may wait', () => {
  /** Lets each statement that stores customers sleep until it is released. */
  async function holdCreates(db: Database) {
    await db.query('create table held as select 1 as one', []);
    await db.query(
      `create function wait_while_held() returns trigger language plpgsql as $$ begin
         while exists (select from held) loop perform pg_sleep(0.005); end loop;
         return null;
       end $$`,
      [],
    );
    await db.query(
      `create trigger customers_held before insert on customers
       for each statement execute function wait_while_held()`,
      [],
    );
    return { release: () => db.query('delete from held', []) };
  }

  const untilSleeping = async (count: number): Promise<void> => {
    const sql = `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
    while ((await api.fixtures.db.query(sql, [])).length < count) await sleep(5);
  };

  it('gets its newest refused, and another merchant is served', async () => {
    const other = api.as(await (await api.fixtures.makeMerchant()).key());
    const hold = await holdCreates(api.fixtures.db);
    const refused: Answer[] = [];
    const customer = documentOf('customers', { email: 'ada@example.com' });
    const create = async (client: Client): Promise<number> => {
      const answer = await client.send('POST', '/v2/customers', customer);
      if (answer.status === 503) refused.push(answer);
      return answer.status;
    };
    const untilCount = async (count: number): Promise<void> => {
      while (refused.length < count) await sleep(5);
    };
    const imported: Promise<number>[] = [];
    // At most two statements run; later requests wait.
    for (const statements of [1, 2]) {
      imported.push(create(api.client));
      await untilSleeping(statements);
    }
    imported.push(...Array.from({ length: WAITING_MAX + 1 }, () => create(api.client)));
    await untilCount(1);
    const others = Array.from({ length: WAITING_MAX / 2 }, () => create(other));
    await untilCount(1 + WAITING_MAX / 2);
    await hold.release();
    expect(await Promise.all(others)).toEqual(others.map(() => 201));
    const served = (await Promise.all(imported)).filter((status) => status === 201);
    expect(served).toHaveLength(2 + WAITING_MAX / 2);
    expect(errorsOf(refused[0] as Answer)).toEqual([['overloaded', undefined]]);
    expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(
      refused.map(() => '1'),
    );
  });
});

describe('an expensive query is refused before it reaches the database', () => {
  const includeChain = (steps: number): string =>
    Array.from({ length: steps / 2 }, () => 'payment_demands.payer').join('.');
  const operators = ['eq', 'ne', 'in', 'like', 'null'];
  const many = ['email', 'name', 'phone_number', 'description'].flatMap((field) =>
    operators.map((operator) => `filter[${includeChain(8)}.${field}][${operator}]=true`),
  );

  it.each([
    ['twenty filters of eight steps', `customers?${many.join('&')}`, 'filter'],
    ['with a count', `customers?${many.slice(0, 2).join('&')}&page[total]=true`, 'filter'],
    [
      'a long text to look for',
      `customers?filter[name][like]=${'x'.repeat(201)}`,
      'filter[name][like]',
    ],
    ['a long way to a sort key', `payment_demands?sort=${includeChain(10)}.name`, 'sort'],
    [
      'ways to several sort keys',
      `refund_demands?sort=${[
        'business_name',
        'business_website',
        'phone_number',
        'created_at',
        'updated_at',
      ]
        .map(
          (name) => `payment_demand.payment_subscription.payment_method.customer.merchant.${name}`,
        )
        .join()}`,
      'sort',
    ],
    [
      'includes in all directions',
      `customers?include=payment_demands.refund_demands.merchant,payment_methods.payment_demands.refund_demands,${[
        'addresses',
        'payment_methods',
        'payment_demands',
      ]
        .flatMap((name) => [`addresses.customer.${name}`, `payment_methods.customer.${name}`])
        .join()}`,
      'include',
    ],
  ])('%s', async (_what, path, parameter) => {
    const answer = await api.client.get(`/v2/${path}`);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [['query_too_costly', parameter]]]);
  });

  it('the queries of typical programs are not', async () => {
    const usual = [
      'payment_demands?filter[payer.addresses.city]=London&filter[payer.email][like]=example&include=payer.addresses,payment_method,refund_demands&sort=payer.name&page[total]=true',
      `customers?filter[${includeChain(8)}.email]=a@example.com`,
      'memberships?include=account,permissions&sort=account.name',
    ];
    for (const path of usual) expect((await api.client.get(`/v2/${path}`)).status).toBe(200);
  });
});
