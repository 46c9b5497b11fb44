import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Answer, documentOf, type ResourceObject } from '../support/client.ts';
import {
  makeAddress,
  makeCustomer,
  makeDemand,
  makeParties,
  purchase,
  waitForOutcome,
} from '../support/make.ts';
import { errorsOf } from '../support/resource-suite.ts';

const api = useApi();

describe('a payment demand with an idempotency key', () => {
  const post = (attributes: object, headers: Record<string, string> = {}) =>
    api.client.send(
      'POST',
      '/v2/payment_demands',
      documentOf('payment_demands', { ...purchase, ...attributes }),
      headers,
    );

  it.each([
    ['in its body', { idempotency_key: 'twin-1' }, {}],
    ['in a header', {}, { 'idempotency-key': 'twin-2' }],
  ])('%s is created once', async (_where, attributes, headers) => {
    const [firstAnswer, secondAnswer] = [
      await post(attributes, headers),
      await post(attributes, headers),
    ];
    expect([firstAnswer.status, secondAnswer.status]).toEqual([201, 201]);
    expect(secondAnswer.body).toEqual(firstAnswer.body);
  });

  it('may share the key with a record of another type', async () => {
    const headers = { 'idempotency-key': 'shared' };
    expect((await post({}, headers)).status).toBe(201);
    const customer = documentOf('customers', { email: 'a@example.com' });
    expect((await api.client.send('POST', '/v2/customers', customer, headers)).status).toBe(201);
  });

  it('is the same request with its members in another order', async () => {
    const payer = await makeCustomer(api.client);
    const address = await makeAddress(api.client);
    const relations = { payer, billing_address: address };
    const document = documentOf(
      'payment_demands',
      { ...purchase, idempotency_key: 'order' },
      relations,
    );
    const reorderedDocument = {
      data: Object.fromEntries(
        Object.entries(document.data)
          .reverse()
          .map(([name, value]) => [
            name,
            typeof value === 'object' ? Object.fromEntries(Object.entries(value).reverse()) : value,
          ]),
      ),
    };
    const firstAnswer = await api.client.send('POST', '/v2/payment_demands', document);
    const secondAnswer = await api.client.send('POST', '/v2/payment_demands', reorderedDocument);
    expect([secondAnswer.status, secondAnswer.body.data.id]).toEqual([
      201,
      firstAnswer.body.data.id,
    ]);
  });
});

describe('an equivalent create', () => {
  const item = { name: 'Rose', quantity: 1, amount_cents: 2500, amount_currency: 'USD' };
  it.each<[string, object, object]>([
    ['a default left out or written out', {}, { capture_method: 'automatic', confirmed: false }],
    ['nothing or null', {}, { description: null, line_items: null }],
    ['no text or empty text', {}, { description: '' }],
    [
      'an item without its defaults or with them',
      { line_items: [item] },
      { line_items: [{ ...item, tax_cents: 0, tax_currency: 'USD', sku: null }] },
    ],
  ])('%s is the same request', async (caseName, firstAttributes, secondAttributes) => {
    for (const keyAttributes of [{ idempotency_key: caseName }, {}]) {
      const post = (attributes: object) =>
        api.client.send(
          'POST',
          '/v2/payment_demands',
          documentOf('payment_demands', { ...purchase, ...keyAttributes, ...attributes }),
          'idempotency_key' in keyAttributes ? {} : { 'idempotency-key': `header ${caseName}` },
        );
      const [firstAnswer, secondAnswer] = [
        await post(firstAttributes),
        await post(secondAttributes),
      ];
      expect([secondAnswer.status, secondAnswer.body.data?.id]).toEqual([
        201,
        firstAnswer.body.data.id,
      ]);
      expect((await post({ ...firstAttributes, amount_cents: 2501 })).status).toBe(409);
    }
  });
});

const replayedHeaderOf = ({ headers }: Answer): string | null => headers.get('idempotent-replayed');
const keyHeader = (key: string) => ({ 'idempotency-key': key });
const patch = ({ id }: ResourceObject, attributes: object, headers = {}): Promise<Answer> =>
  api.client.send(
    'PATCH',
    `/v2/payment_demands/${id}`,
    documentOf('payment_demands', attributes, {}, id),
    headers,
  );
const confirm = ({ id }: ResourceObject, key: string): Promise<Answer> =>
  api.client.send('PATCH', `/v2/payment_demands/${id}/confirm`, undefined, keyHeader(key));
const eventSlugsOf = async ({ id }: ResourceObject): Promise<string[]> => {
  const { body } = await api.client.get(`/v2/events?filter[resource_id]=${id}&sort=created_at,id`);
  return body.data.map(({ attributes }: ResourceObject) => attributes.slug);
};

describe('a replayed answer', () => {
  it('is marked; the first one is not', async () => {
    const demand = await makeDemand(api.client);
    const answers = [
      await patch(demand, { description: 'Roses' }, keyHeader('said')),
      await patch(demand, { description: 'Roses' }, keyHeader('said')),
    ];
    expect(answers.map(replayedHeaderOf)).toEqual([null, 'true']);
  });

  it('shows the current record', async () => {
    const demand = await makeDemand(api.client);
    await patch(demand, { description: 'Roses' }, keyHeader('now'));
    await patch(demand, { description: 'Tulips' });
    const { status, body } = await patch(demand, { description: 'Roses' }, keyHeader('now'));
    expect([status, body.data]).toEqual([
      200,
      await api.client.fetch('payment_demands', demand.id),
    ]);
    expect(body.data.attributes.description).toBe('Tulips');
  });

  it('shows what its own request asks for', async () => {
    const { id } = await makeDemand(api.client);
    const send = () =>
      api.client.send(
        'PATCH',
        `/v2/payment_demands/${id}?fields[payment_demands]=description`,
        documentOf('payment_demands', { description: 'Roses' }, {}, id),
        keyHeader('fields'),
      );
    expect((await send()).body.data.attributes).toEqual({ description: 'Roses' });
    expect((await send()).body.data.attributes).toEqual({ description: 'Roses' });
  });
});

describe('a confirmation that was declined', () => {
  it('is not retried by its own key, but by another one', async () => {
    const parties = await makeParties(api.client, 'generic_decline');
    const demand = await makeDemand(api.client, {}, parties);
    expect((await confirm(demand, 'first')).body.data.attributes.status).toBe('pending');
    expect((await waitForOutcome(api.client, demand.id)).attributes.status).toBe('failed');
    const events = await eventSlugsOf(demand);

    const repeatedAnswer = await confirm(demand, 'first');
    expect([repeatedAnswer.status, replayedHeaderOf(repeatedAnswer)]).toEqual([200, 'true']);
    expect(repeatedAnswer.body.data.attributes.status).toBe('failed');
    expect(await eventSlugsOf(demand)).toEqual(events);

    const newKeyAnswer = await confirm(demand, 'second');
    expect([newKeyAnswer.status, replayedHeaderOf(newKeyAnswer)]).toEqual([200, null]);
    expect(newKeyAnswer.body.data.attributes.status).toBe('pending');
  });
});

describe('a refused request', () => {
  it('leaves its key to the corrected request', async () => {
    const demand = await makeDemand(api.client);
    expect((await confirm(demand, 'mended')).status).toBe(422);
    const otherPayment = await makeDemand(api.client, {}, await makeParties(api.client));
    const answer = await confirm(otherPayment, 'mended');
    expect([answer.status, replayedHeaderOf(answer)]).toEqual([200, null]);
  });

  it('leaves its key also if it would have created a record', async () => {
    const post = (attributes: object) =>
      api.client.send(
        'POST',
        '/v2/payment_demands',
        documentOf('payment_demands', { ...purchase, ...attributes }),
        keyHeader('mended create'),
      );
    expect((await post({ amount_currency: 'SEK' })).status).toBe(422);
    expect((await post({})).status).toBe(201);
  });
});

describe('one key', () => {
  it('may be used once per operation', async () => {
    const parties = await makeParties(api.client);
    const document = documentOf('payment_demands', purchase, parties);
    const createAnswer = await api.client.send(
      'POST',
      '/v2/payment_demands',
      document,
      keyHeader('each'),
    );
    const updateAnswer = await patch(
      createAnswer.body.data,
      { description: 'Roses' },
      keyHeader('each'),
    );
    const confirmAnswer = await confirm(createAnswer.body.data, 'each');
    expect([createAnswer, updateAnswer, confirmAnswer].map(({ status }) => status)).toEqual([
      201, 200, 200,
    ]);
    expect([createAnswer, updateAnswer, confirmAnswer].map(replayedHeaderOf)).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('is the same for PUT and PATCH, with and without quotes', async () => {
    const demand = await makeDemand(api.client);
    await patch(demand, { description: 'Roses' }, keyHeader('put'));
    const answer = await api.client.send(
      'PUT',
      `/v2/payment_demands/${demand.id}`,
      documentOf('payment_demands', { description: 'Roses' }, {}, demand.id),
      keyHeader('"put"'),
    );
    expect([answer.status, replayedHeaderOf(answer)]).toEqual([200, 'true']);
  });

  it.each([
    ['a header', {}, keyHeader('where 1'), { header: 'Idempotency-Key' }],
    [
      'the body',
      { idempotency_key: 'where 2' },
      {},
      { pointer: '/data/attributes/idempotency_key' },
    ],
    [
      'both',
      { idempotency_key: 'where 3' },
      keyHeader('where 3'),
      { pointer: '/data/attributes/idempotency_key' },
    ],
  ])(
    'that %s of another request uses is refused there',
    async (_where, attributes, headers, source) => {
      const post = (amount_cents: number) =>
        api.client.send(
          'POST',
          '/v2/payment_demands',
          documentOf('payment_demands', { ...purchase, amount_cents, ...attributes }),
          headers,
        );
      expect((await post(100)).status).toBe(201);
      const { status, body } = await post(101);
      expect([status, body.errors?.[0]?.code, body.errors?.[0]?.source]).toEqual([
        409,
        'idempotency_conflict',
        source,
      ]);
    },
  );

  it('is refused if header and body have different ones', async () => {
    const document = documentOf('payment_demands', { ...purchase, idempotency_key: 'one' });
    const answer = await api.client.send(
      'POST',
      '/v2/payment_demands',
      document,
      keyHeader('another one'),
    );
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [['invalid_value', 'Idempotency-Key']],
    ]);
  });

  it('is ignored by requests that only read', async () => {
    const { status } = await api.client.get('/v2/payment_demands', keyHeader('k'.repeat(300)));
    expect(status).toBe(200);
  });

  it('in a header is stored for thirty days, and as an attribute with its record', async () => {
    const post = (attributes: object, headers: Record<string, string>) =>
      api.client.send(
        'POST',
        '/v2/payment_demands',
        documentOf('payment_demands', { ...purchase, ...attributes }),
        headers,
      );
    await post({}, keyHeader('for a while'));
    await post({ idempotency_key: 'for good' }, {});
    const rows = await api.fixtures.db.query(
      `select key, (extract(epoch from expires_at - created_at) / 86400)::numeric(9, 3) as days
       from idempotency_keys where key like 'for %' order by key`,
      [],
    );
    expect(rows).toEqual([
      { key: 'for a while', days: '30.000' },
      { key: 'for good', days: null },
    ]);
  });
});
