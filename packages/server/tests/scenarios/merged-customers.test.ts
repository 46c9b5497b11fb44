import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SLICE_MAX } from '../../src/features/customer-merges/move-records.ts';
import { useApi } from '../support/api.ts';
import { type Answer, documentOf, type ResourceObject } from '../support/client.ts';
import { browse, pathOf } from '../support/link-visit.ts';
import {
  eventually,
  makeCustomer,
  makeDemand,
  makeMethod,
  makeParties,
  makeSubscription,
  makeVelocityLimit,
  paymentLink,
  purchase,
  waitForOutcome,
} from '../support/make.ts';
import { errorsOf } from '../support/resource-suite.ts';
import { advanceAndWait, DAY_SECONDS, makeClock } from '../support/sandbox-clocks.ts';

const api = useApi();

const requestMerge = (source: ResourceObject, target: ResourceObject): Promise<Answer> =>
  api.client.send(
    'POST',
    '/v2/customer_merges',
    documentOf('customer_merges', {}, { source, target }),
  );

async function merge(source: ResourceObject, target: ResourceObject): Promise<ResourceObject> {
  const { status, body } = await requestMerge(source, target);
  expect([status, body.errors]).toEqual([201, undefined]);
  return body.data;
}

const payerIn = ({ relationships }: ResourceObject): unknown => {
  const { data } = relationships.payer as { data: ResourceObject };
  return data.id;
};
const payerOf = async ({ type, id }: ResourceObject): Promise<unknown> =>
  payerIn(await api.client.fetch(type as 'payment_demands', id));

const query = (sql: string, values: readonly unknown[]) => api.fixtures.db.query(sql, values);

/** Makes the merge look for records that others stored meanwhile, which it otherwise does later, until none is left. */
const lookAgain = (id: string): Promise<unknown> =>
  eventually(
    async () => {
      await query('update customer_merges set due_at = now() where id = $1', [id]);
      return query(
        `select p.id from customer_merges m join payment_demands p
           on p.merchant_id = m.merchant_id and p.payer_id = m.source_id where m.id = $1 limit 1`,
        [id],
      );
    },
    ({ length }) => length === 0,
  );

/** A customer with a card that paid once. */
async function makePaidCustomer() {
  const parties = await makeParties(api.client);
  const payment = await makeDemand(api.client, { confirmed: true }, parties);
  await waitForOutcome(api.client, payment.id);
  return {
    payment,
    parties,
    source: parties.payer as ResourceObject,
    card: parties.payment_method as ResourceObject,
    address: parties.billing_address as ResourceObject,
  };
}

const chargeByMerchant = async (
  payer: ResourceObject,
  payment_method: ResourceObject,
  billing_address: ResourceObject,
): Promise<string> => {
  const { id } = await makeDemand(
    api.client,
    { confirmed: true, initiator: 'merchant' },
    { payer, payment_method, billing_address },
  );
  return (await waitForOutcome(api.client, id)).attributes.status as string;
};

describe('a customer with more records than one slice', () => {
  it('is closed at once, and its records follow in slices', async () => {
    const { source, payment } = await makePaidCustomer();
    const target = await makeCustomer(api.client);
    await query(
      `insert into payment_demands select (jsonb_populate_record(p, jsonb_build_object(
         'id', gen_random_uuid(), 'idempotency_key', null))).*
       from payment_demands p, generate_series(1, $2) where p.id = $1`,
      [payment.id, String(2 * SLICE_MAX)],
    );
    const started = await merge(source, target);
    expect(started.attributes).toMatchObject({
      payment_demands_count: SLICE_MAX,
      completed_at: null,
    });
    const refused = await api.client.send(
      'POST',
      '/v2/payment_demands',
      documentOf('payment_demands', purchase, { payer: source }),
    );
    expect(errorsOf(refused)).toEqual([['customer_merged', '/data/relationships/payer']]);
    const { attributes } = await eventually(
      () => api.client.fetch('customer_merges', started.id),
      (record) => record.attributes.completed_at !== null,
    );
    expect(attributes.payment_demands_count).toBe(2 * SLICE_MAX + 1);
    const left = await query(
      `select count(*) filter (where payer_id = $1) as source, count(*) filter (where payer_id = $2) as target
       from payment_demands where payer_id in ($1, $2)`,
      [source.id, target.id],
    );
    expect(left).toEqual([{ source: '0', target: String(2 * SLICE_MAX + 1) }]);
  });

  it('is moved without a wait for a payment that another transaction has locked', async () => {
    const { source, payment, card } = await makePaidCustomer();
    const target = await makeCustomer(api.client);
    const started = await api.fixtures.db.transaction(async (tx) => {
      await tx.query('select 1 from payment_demands where id = $1 for update', [payment.id]);
      return merge(source, target);
    });
    expect(started.attributes).toMatchObject({
      payment_demands_count: 0,
      payment_methods_count: 1,
      completed_at: null,
    });
    expect(card.id).toBeDefined();
    const completed = await eventually(
      () => api.client.fetch('customer_merges', started.id),
      (record) => record.attributes.completed_at !== null,
    );
    expect(completed.attributes.payment_demands_count).toBe(1);
    expect(await payerOf(payment)).toBe(target.id);
  });
});

describe('cards of a merged customer', () => {
  it('can be charged by the merchant, as their first payment was the same person’s', async () => {
    const { source, card, address } = await makePaidCustomer();
    const target = await makeCustomer(api.client);
    await merge(source, target);
    expect(await chargeByMerchant(target, card, address)).toBe('succeeded');
    const attempts = await query('select 1 from attempts where payer_id = $1', [source.id]);
    expect(attempts).toEqual([]);
  });

  it('can be charged while the first payment is not moved yet', async () => {
    const { source, payment, card, address } = await makePaidCustomer();
    const target = await makeCustomer(api.client);
    await merge(source, target);
    await query('update payment_demands set payer_id = $2 where id = $1', [payment.id, source.id]);
    expect(await chargeByMerchant(target, card, address)).toBe('succeeded');
  });

  it.each([
    ['before its card', 'payment_methods', 'customer_id', 'payment_method'],
    ['after its card', 'payment_demands', 'payer_id', 'payment'],
  ])('pay a payment that is moved %s', async (_title, table, column, which) => {
    const parties = await makeParties(api.client);
    const source = parties.payer as ResourceObject;
    const payment = await makeDemand(api.client, {}, parties);
    const target = await makeCustomer(api.client);
    const { id: mergeId } = await merge(source, target);
    const id = which === 'payment' ? payment.id : (parties.payment_method as ResourceObject).id;
    await query(`update ${table} set ${column} = $2 where id = $1`, [id, source.id]);
    await api.client.send('PATCH', `/v2/payment_demands/${payment.id}`, {
      data: {
        type: 'payment_demands',
        id: payment.id,
        relationships: { payment_method: { data: null } },
      },
    });
    const { status, body } = await api.client.send(
      'PATCH',
      `/v2/payment_demands/${payment.id}`,
      documentOf(
        'payment_demands',
        {},
        { payment_method: parties.payment_method as ResourceObject },
        payment.id,
      ),
    );
    expect([status, body.errors]).toEqual([200, undefined]);
    await api.client.send('PATCH', `/v2/payment_demands/${payment.id}/confirm`);
    expect((await waitForOutcome(api.client, payment.id)).attributes).toMatchObject({
      status: 'succeeded',
    });
    await lookAgain(mergeId);
    expect(await payerOf(payment)).toBe(target.id);
  });

  it('of another customer stay refused', async () => {
    const { source } = await makePaidCustomer();
    const target = await makeCustomer(api.client);
    await merge(source, target);
    const payment_method = await makeMethod(api.client, 'visa', {
      customer: await makeCustomer(api.client),
    });
    const answer = await api.client.send(
      'POST',
      '/v2/payment_demands',
      documentOf('payment_demands', purchase, { payer: target, payment_method }),
    );
    expect(errorsOf(answer)).toEqual([['customer_mismatch', '/data/relationships/payment_method']]);
  });
});

describe('records that a merge has not moved yet', () => {
  const moveBack = (
    table: string,
    column: string,
    { id }: ResourceObject,
    source: ResourceObject,
  ) => query(`update ${table} set ${column} = $2 where id = $1`, [id, source.id]);
  const confirm = async (payment: ResourceObject): Promise<unknown> => {
    const path = `/v2/payment_demands/${payment.id}/confirm`;
    const { status, body } = await api.client.send('PATCH', path);
    expect([status, body.errors]).toEqual([200, undefined]);
    const { attributes } = await waitForOutcome(api.client, payment.id);
    return attributes.failure_reason ?? attributes.status;
  };

  it('are refused while the customer who remains is blocked, and paid afterwards', async () => {
    const parties = await makeParties(api.client);
    const source = parties.payer as ResourceObject;
    const payment = await makeDemand(api.client, {}, parties);
    const target = await makeCustomer(api.client);
    await api.client.send('PATCH', `/v2/customers/${source.id}/block`);
    await api.client.send('PATCH', `/v2/customers/${target.id}/block`);
    await merge(source, target);
    await moveBack('payment_demands', 'payer_id', payment, source);
    await api.client.send('PATCH', `/v2/customers/${target.id}/unblock`);
    expect(await confirm(payment)).toBe('succeeded');
    const { source: other, card, address } = await makePaidCustomer();
    const open = await makeDemand(
      api.client,
      {},
      { payer: other, payment_method: card, billing_address: address },
    );
    await merge(other, target);
    await moveBack('payment_demands', 'payer_id', open, other);
    await api.client.send('PATCH', `/v2/customers/${target.id}/block`);
    expect(await confirm(open)).toBe('customer_blocked');
  });

  it('count for the limit of cards per payer, whichever of both customers tried them', async () => {
    const window = { kind: 'payer_cards', window_seconds: 3600, max_count: 1 };
    const limit = await makeVelocityLimit(api.client, window);
    const { source, payment, address: billing_address } = await makePaidCustomer();
    const target = await makeCustomer(api.client);
    const payment_method = await makeMethod(api.client, 'mastercard', { customer: source });
    const parties = { payer: source, payment_method, billing_address };
    const next = await makeDemand(api.client, {}, parties);
    await merge(source, target);
    const attempts = () => query('select 1 from attempts where payer_id = $1', [source.id]);
    await query('update attempts set payer_id = $2 where payment_demand_id = $1', [
      payment.id,
      source.id,
    ]);
    expect(await attempts()).toHaveLength(1);
    expect(await confirm(next)).toBe('velocity_exceeded');
    await api.client.send('PATCH', `/v2/velocity_limits/${limit.id}/remove`);
  });

  it('are payment links whose payers pay for the customer who remains', async () => {
    const source = await makeCustomer(api.client);
    const target = await makeCustomer(api.client);
    const link = await api.client.make('payment_links', paymentLink, { customer: source });
    await merge(source, target);
    await moveBack('payment_links', 'customer_id', link, source);
    const visit = async () => {
      const { status, headers } = await browse(api.stack, pathOf(link));
      return [status, headers.get('location')];
    };
    const first = await visit();
    expect(first).toEqual([303, expect.stringContaining(pathOf(link))]);
    const { body } = await api.client.get(
      `/v2/payment_links/${link.id}/relationships/payment_demands`,
    );
    expect(await Promise.all(body.data.map(payerOf))).toEqual([target.id]);
    await moveBack('payment_links', 'customer_id', link, target);
    expect(await visit()).toEqual(first);
  });
});

describe('subscriptions of a merged customer', () => {
  it('renew without the customer, for the customer who remains', async () => {
    const parties = await makeParties(api.client);
    const subscription = await makeSubscription(api.client, { confirmed: true }, parties);
    await eventually(
      () => api.client.fetch('payment_subscriptions', subscription.id),
      ({ attributes }) => attributes.last_processed_at !== null,
    );
    const target = await makeCustomer(api.client);
    await merge(parties.payer as ResourceObject, target);
    expect(await payerOf(subscription)).toBe(target.id);
    const clock = await makeClock(api.client);
    await advanceAndWait(api.client, clock, 32 * DAY_SECONDS);
    const { body } = await api.client.get(
      `/v2/payment_demands?filter[payment_subscription]=${subscription.id}&sort=created_at`,
    );
    expect(
      body.data.map((charge: ResourceObject) => [
        charge.attributes.status,
        charge.attributes.initiator,
        payerIn(charge),
      ]),
    ).toEqual([
      ['succeeded', 'customer', target.id],
      ['succeeded', 'merchant', target.id],
    ]);
  });
});

describe('a sandbox whose clock was advanced', () => {
  it('refuses new records of a merged customer, and payments with a discarded card', async () => {
    const { data } = (await api.client.get('/v2/sandbox_clocks')).body;
    await advanceAndWait(api.client, data[0] ?? (await makeClock(api.client)), DAY_SECONDS);
    const [source, payer] = [await makeCustomer(api.client), await makeCustomer(api.client)];
    await merge(source, payer);
    const payment_method = await makeMethod(api.client, 'visa', { customer: payer });
    await api.client.send('PATCH', `/v2/payment_methods/${payment_method.id}/discard`);
    const pay = async (parties: Record<string, ResourceObject>) =>
      errorsOf(
        await api.client.send(
          'POST',
          '/v2/payment_demands',
          documentOf('payment_demands', purchase, parties),
        ),
      );
    expect(await pay({ payer: source })).toEqual([
      ['customer_merged', '/data/relationships/payer'],
    ]);
    expect(await pay({ payer, payment_method })).toEqual([
      ['relationship_not_found', '/data/relationships/payment_method'],
    ]);
  });
});

describe('concurrent requests', () => {
  it('merge two customers in one direction only', async () => {
    for (let round = 0; round < 10; round++) {
      const [one, other] = [await makeCustomer(api.client), await makeCustomer(api.client)];
      const answers = await Promise.all([requestMerge(one, other), requestMerge(other, one)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422]);
      const refused = answers.find(({ status }) => status === 422) as Answer;
      expect(errorsOf(refused)[0]?.[0]).toBe('customer_merged');
    }
  });

  it('leave every customer one step from the one who remains, with all records there', async () => {
    const pairs = fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { minLength: 4, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(pairs, async (merges) => {
        const customers = await Promise.all([0, 1, 2, 3, 4].map(() => makeCustomer(api.client)));
        const payments = await Promise.all(
          customers.map((payer) => makeDemand(api.client, {}, { payer })),
        );
        const answers = await Promise.all(
          merges.map(([source, target]) =>
            requestMerge(customers[source] as ResourceObject, customers[target] as ResourceObject),
          ),
        );
        const accepted = answers.filter(({ status }) => status === 201);
        for (const { body } of accepted) await lookAgain(body.data.id);
        const ids = customers.map(({ id }) => id);
        const rows = await query(
          `select c.id, c.merged_into_id, p.payer_id from unnest($1::uuid[], $2::uuid[]) as k (customer, payment)
           join customers c on c.id = k.customer join payment_demands p on p.id = k.payment`,
          [ids, payments.map(({ id }) => id)],
        );
        const remaining = new Set(rows.filter((row) => !row.merged_into_id).map(({ id }) => id));
        const merged = rows.filter(({ merged_into_id }) => merged_into_id);
        expect(answers.every(({ status }) => [201, 422, 503].includes(status))).toBe(true);
        expect(merged).toHaveLength(accepted.length);
        expect(merged.filter((row) => !remaining.has(row.merged_into_id))).toEqual([]);
        expect(rows.filter((row) => row.payer_id !== (row.merged_into_id ?? row.id))).toEqual([]);
      }),
      { numRuns: 8 },
    );
  });

  it('create payments of the source before the merge, or are refused with the target', async () => {
    const parties = await makeParties(api.client);
    const source = parties.payer as ResourceObject;
    const target = await makeCustomer(api.client);
    const createOne = (at: number): Promise<Answer> =>
      api.client.send(
        'POST',
        '/v2/payment_demands',
        documentOf(
          'payment_demands',
          { ...purchase, purchase_reference: `race-${at}`, confirmed: true },
          parties,
        ),
      );
    const early = Array.from({ length: 15 }, (_, at) => createOne(at));
    const merging = requestMerge(source, target);
    const late = Array.from({ length: 15 }, (_, at) => createOne(15 + at));
    const answers = await Promise.all([...early, ...late]);
    const { body } = await merging;
    await lookAgain(body.data.id);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(errorsOf(answer)).toContainEqual(['customer_merged', '/data/relationships/payer']);
    const created = answers
      .filter(({ status }) => status === 201)
      .map((answer) => answer.body.data);
    const outcomes = await Promise.all(
      created.map(async (payment) => [
        (await waitForOutcome(api.client, payment.id)).attributes.status,
        await payerOf(payment),
      ]),
    );
    expect(outcomes).toEqual(created.map(() => ['succeeded', target.id]));
  });
});
