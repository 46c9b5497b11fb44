import { beforeEach, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { documentOf, type ResourceObject, UNKNOWN_ID } from '../support/client.ts';
import { makeCustomer, makeDemand, makeParties } from '../support/make.ts';
import { errorsOf } from '../support/resource-suite.ts';

const api = useApi();
let customer: ResourceObject;
let path: string;
beforeEach(async () => {
  customer = await makeCustomer(api.client);
  path = `/v2/customers/${customer.id}`;
});

const fetchTag = async (url = path): Promise<string> =>
  (await api.client.get(url)).headers.get('etag')!;
const update = (ifMatch: string, name = 'Changed', method = 'PATCH') =>
  api.client.send(method, path, documentOf('customers', { name }, {}, customer.id), {
    'if-match': ifMatch,
  });
const STALE_ERROR = [412, [['stale_record', 'If-Match']]];
const fetchName = async () => (await api.client.fetch('customers', customer.id)).attributes.name;

describe('If-Match', () => {
  it.each(['PATCH', 'PUT'])(
    '#145 of a changed record is 412, and changes nothing: %s',
    async (method) => {
      const knownTag = await fetchTag();
      expect((await update(knownTag, 'First', method)).status).toBe(200);
      const lateAnswer = await update(knownTag, 'Second', method);
      expect([lateAnswer.status, errorsOf(lateAnswer)]).toEqual(STALE_ERROR);
      expect(await fetchName()).toBe('First');
      expect((await update(await fetchTag(), 'Third', method)).status).toBe(200);
    },
  );

  it.each([
    ['alone', ''],
    ['with a fieldset', '?fields[customers]=name'],
    ['with an included record', '?include=merchant'],
  ])('accepts the tag of a record from any read: %s', async (_how, query) => {
    expect((await update(await fetchTag(`${path}${query}`))).status).toBe(200);
  });

  it('accepts the tag of a write, and of the related record', async () => {
    const answer = await update('*');
    expect((await update(answer.headers.get('etag')!, 'Second')).status).toBe(200);
    const demand = await makeDemand(api.client, {}, { payer: customer });
    const relatedPath = `/v2/payment_demands/${demand.id}/relationships/payer`;
    expect((await update(await fetchTag(relatedPath), 'Third')).status).toBe(200);
  });

  it('is met by any record with *, and by one of several tags', async () => {
    expect((await update('*')).status).toBe(200);
    expect((await update(`"other.x", ${await fetchTag()}`, 'Second')).status).toBe(200);
  });

  it('is not met by a weak tag, that of a list or an empty one', async () => {
    const listTag = await fetchTag('/v2/customers');
    for (const tag of [`W/${await fetchTag()}`, listTag, listTag.replace('W/', ''), '""', '"."']) {
      const answer = await update(tag);
      expect([tag, answer.status, errorsOf(answer)]).toEqual([tag, ...STALE_ERROR]);
    }
  });

  it.each(['nonsense', '"open', '', '"a" "b"'])(
    'that is no list of tags is 422: %s',
    async (tag) => {
      const answer = await update(tag);
      expect([answer.status, errorsOf(answer)]).toEqual([422, [['invalid_value', 'If-Match']]]);
    },
  );

  it('for an unknown record is 404', async () => {
    const answer = await api.client.send(
      'PATCH',
      `/v2/customers/${UNKNOWN_ID}`,
      documentOf('customers', {}, {}, UNKNOWN_ID),
      { 'if-match': '*' },
    );
    expect([answer.status, errorsOf(answer)]).toEqual([404, [['not_found', undefined]]]);
  });

  it('does not prevent the replay of the first answer', async () => {
    const headers = { 'if-match': await fetchTag(), 'idempotency-key': 'once' };
    const document = documentOf('customers', { name: 'Changed' }, {}, customer.id);
    const [firstAnswer, repeatedAnswer] = [
      await api.client.send('PATCH', path, document, headers),
      await api.client.send('PATCH', path, document, headers),
    ];
    expect([firstAnswer.status, repeatedAnswer.status, repeatedAnswer.body]).toEqual([
      200,
      200,
      firstAnswer.body,
    ]);
  });

  it('lets one of many concurrent writes of one version pass', async () => {
    const knownTag = await fetchTag();
    const names = Array.from({ length: 12 }, (_, number) => `Name ${number}`);
    const answers = await Promise.all(names.map((name) => update(knownTag, name)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, ...Array(11).fill(412)]);
    const winner = answers.find(({ status }) => status === 200)!;
    expect(await fetchName()).toBe(winner.body.data.attributes.name);
  });

  it('prevents the confirmation of a payment that changed since it was read', async () => {
    const demand = await makeDemand(api.client, {}, await makeParties(api.client));
    const paymentPath = `/v2/payment_demands/${demand.id}`;
    const knownTag = await fetchTag(paymentPath);
    await api.client.send(
      'PATCH',
      paymentPath,
      documentOf('payment_demands', { amount_cents: 9900 }, {}, demand.id),
    );
    const confirm = (tag: string) =>
      api.client.send('PATCH', `${paymentPath}/confirm`, undefined, { 'if-match': tag });
    const lateAnswer = await confirm(knownTag);
    expect([lateAnswer.status, errorsOf(lateAnswer)]).toEqual(STALE_ERROR);
    const { body, status } = await confirm(await fetchTag(paymentPath));
    expect([status, body.data.attributes.status]).toEqual([200, 'pending']);
  });
});
