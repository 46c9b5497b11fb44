import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/platform/database/db.ts';
import { useOwnStack } from '../support/api.ts';
import { blockInserts } from '../support/block-inserts.ts';
import { type Answer, type Client, documentOf } from '../support/client.ts';
import { browse, type PageAnswer, pageKeyOf, pathOf, payerDetails } from '../support/link-visit.ts';
import { makeDemand, makeLink } from '../support/make.ts';
import { errorsOf } from '../support/resource-suite.ts';

const WAITING_MAX = 8;
const api = useOwnStack({ config: { waiting_max: WAITING_MAX } });

/** Locks a table against reads until it is released. */
async function lockTable(db: Database, table: string): Promise<{ release(): Promise<void> }> {
  const lockTaken = Promise.withResolvers<void>();
  const releaseRequested = Promise.withResolvers<void>();
  const transaction = db.transaction(async (tx) => {
    await tx.query(`lock table ${table} in access exclusive mode`, []);
    lockTaken.resolve();
    await releaseRequested.promise;
  });
  await Promise.race([lockTaken.promise, transaction]);
  return {
    release() {
      releaseRequested.resolve();
      return transaction;
    },
  };
}

/** Waits until the server's statements wait for a table. */
async function waitForBlockedStatements(db: Database): Promise<void> {
  const sql = `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while (Number((await db.query(sql, []))[0]?.count) < 4) await sleep(10);
}

describe('forty slow lists of one merchant', () => {
  const slowPath = (size: number) => `/v2/legal_addresses?filter[city][like]=x&page[size]=${size}`;
  let otherClient: Client;
  beforeAll(async () => {
    otherClient = api.as(await (await api.fixtures.makeMerchant()).makeKey());
  });

  it('do not delay other merchants, and are refused in the end', async () => {
    const payment = await makeDemand(otherClient);
    const lock = await lockTable(api.fixtures.db, 'legal_addresses');
    const answers: Answer[] = [];
    const requests = Array.from({ length: 40 }, async (_, index) => {
      answers.push(await api.client.get(slowPath(index + 1)));
    });
    try {
      await waitForBlockedStatements(api.fixtures.db);
      for (let round = 0; round < 5; round++) {
        await makeDemand(otherClient);
        const path = `/v2/payment_demands/${payment.id}`;
        const responses = await Promise.all(
          [path, '/v2/payment_demands'].map((url) => otherClient.get(url)),
        );
        expect(responses.map(({ status }) => status)).toEqual([200, 200]);
      }
      // The merchant of the slow lists can still create payments.
      await makeDemand(api.client);
      expect(answers).toEqual([]);
      await Promise.all(requests);
    } finally {
      await lock.release();
    }
    const outcomes = answers.map((answer) => [
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
  it('gets its newest refused, and another merchant is served', async () => {
    const otherClient = api.as(await (await api.fixtures.makeMerchant()).makeKey());
    await using blocker = await blockInserts(api.fixtures.db, 'customers');
    const refusedAnswers: Answer[] = [];
    const customer = documentOf('customers', { email: 'ada@example.com' });
    const create = async (client: Client): Promise<number> => {
      const answer = await client.send('POST', '/v2/customers', customer);
      if (answer.status === 503) refusedAnswers.push(answer);
      return answer.status;
    };
    const waitForRefusals = async (count: number): Promise<void> => {
      while (refusedAnswers.length < count) await sleep(5);
    };
    const importStatuses: Promise<number>[] = [];
    // At most two statements run; later requests wait.
    for (const statements of [1, 2]) {
      importStatuses.push(create(api.client));
      await blocker.waitFor(statements);
    }
    importStatuses.push(...Array.from({ length: WAITING_MAX + 1 }, () => create(api.client)));
    await waitForRefusals(1);
    const otherStatuses = Array.from({ length: WAITING_MAX / 2 }, () => create(otherClient));
    await waitForRefusals(1 + WAITING_MAX / 2);
    await blocker.release();
    expect(await Promise.all(otherStatuses)).toEqual(otherStatuses.map(() => 201));
    const createdStatuses = (await Promise.all(importStatuses)).filter((status) => status === 201);
    expect(createdStatuses).toHaveLength(2 + WAITING_MAX / 2);
    const [refusal] = refusedAnswers[0]?.body.errors ?? [];
    expect(refusal).toMatchObject({
      code: 'overloaded',
      detail: expect.stringContaining(`At most ${WAITING_MAX} such requests may wait`),
      meta: { limit: 'waiting', max: WAITING_MAX, of_owner: WAITING_MAX },
    });
    expect(refusedAnswers.map(({ headers }) => headers.get('retry-after'))).toEqual(
      refusedAnswers.map(() => '1'),
    );
  });
});

describe('an expensive query is refused before it reaches the database', () => {
  const includeChain = (steps: number): string =>
    Array.from({ length: steps / 2 }, () => 'payment_demands.payer').join('.');
  const operators = ['eq', 'ne', 'in', 'like', 'null'];
  const manyFilters = ['email', 'name', 'phone_number', 'description'].flatMap((field) =>
    operators.map((operator) => `filter[${includeChain(8)}.${field}][${operator}]=true`),
  );

  it.each([
    ['twenty filters of eight steps', `customers?${manyFilters.join('&')}`, 'filter'],
    ['with a count', `customers?${manyFilters.slice(0, 2).join('&')}&page[total]=true`, 'filter'],
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
  ])('%s', async (_title, path, parameter) => {
    const answer = await api.client.get(`/v2/${path}`);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [['query_too_costly', parameter]]]);
  });

  it('the queries of typical programs are not', async () => {
    const typicalQueries = [
      'payment_demands?filter[payer.addresses.city]=London&filter[payer.email][like]=example&include=payer.addresses,payment_method,refund_demands&sort=payer.name&page[total]=true',
      `customers?filter[${includeChain(8)}.email]=a@example.com`,
      'memberships?include=account,permissions&sort=account.name',
    ];
    for (const path of typicalQueries)
      expect((await api.client.get(`/v2/${path}`)).status).toBe(200);
  });
});

describe('more payers of one link than may wait', () => {
  it('get a page without the load of the merchant', async () => {
    const path = pathOf(await makeLink(api.client));
    const page_key = pageKeyOf(await browse(api.stack, path));
    await using blocker = await blockInserts(api.fixtures.db, 'customers');
    const { promise: refusal, resolve } = Promise.withResolvers<PageAnswer>();
    const begin = async (payer: number): Promise<number> => {
      const details = { ...payerDetails, email: `ada${payer}@example.com`, page_key };
      const answer = await browse(api.stack, path, details);
      if (answer.status === 503) resolve(answer);
      return answer.status;
    };
    const statuses: Promise<number>[] = [];
    for (const statements of [1, 2]) {
      statuses.push(begin(statements));
      await blocker.waitFor(statements);
    }
    statuses.push(...Array.from({ length: WAITING_MAX + 1 }, (_, index) => begin(index + 3)));
    const { html, headers } = await refusal;
    await blocker.release();
    expect(headers.get('retry-after')).toBe('1');
    expect(html).not.toMatch(/requests|of_owner/);
    // A payer's second create may be refused too, so the count of refusals is not certain.
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([303, 503]));
  });
});
