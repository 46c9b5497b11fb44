import { beforeEach, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { documentOf, NOBODY, type ResourceObject } from '../support/client.ts';
import { makeCustomer, makeDemand, makeParties } from '../support/make.ts';
import { errorsOf } from '../support/resource-suite.ts';

const api = useApi();
let customer: ResourceObject;
let path: string;
beforeEach(async () => {
  customer = await makeCustomer(api.client);
  path = `/v2/customers/${customer.id}`;
});

const tagOf = async (at = path): Promise<string> => (await api.client.get(at)).headers.get('etag')!;
const update = (ifMatch: string, name = 'Changed', method = 'PATCH') =>
  api.client.send(method, path, documentOf('customers', { name }, {}, customer.id), {
    'if-match': ifMatch,
  });
const STALE = [412, [['stale_record', 'If-Match']]];
const nameNow = async () => (await api.client.fetch('customers', customer.id)).attributes.name;

describe('If-Match', () => {
  it.each(['PATCH', 'PUT'])(
    '#145 of a changed record is 412, and changes nothing: %s',
    async (method) => {
      const known = await tagOf();
      expect((await update(known, 'First', method)).status).toBe(200);
      const late = await update(known, 'Second', method);
      expect([late.status, errorsOf(late)]).toEqual(STALE);
      expect(await nameNow()).toBe('First');
      expect((await update(await tagOf(), 'Third', method)).status).toBe(200);
    },
  );

  it.each([
    ['alone', ''],
    ['with a fieldset', '?fields[customers]=name'],
    ['with what it leads to', '?include=merchant'],
  ])('accepts the tag of a record from any read: %s', async (_how, query) => {
    expect((await update(await tagOf(`${path}${query}`))).status).toBe(200);
  });

  it('accepts the tag of a write, and of the related record', async () => {
    const first = await update('*');
    expect((await update(first.headers.get('etag')!, 'Second')).status).toBe(200);
    const demand = await makeDemand(api.client, {}, { payer: customer });
    const related = `/v2/payment_demands/${demand.id}/relationships/payer`;
    expect((await update(await tagOf(related), 'Third')).status).toBe(200);
  });

  it('is met by any record with *, and by one of several tags', async () => {
    expect((await update('*')).status).toBe(200);
    expect((await update(`"other.x", ${await tagOf()}`, 'Second')).status).toBe(200);
  });

  it('is not met by a weak tag, that of a list or an empty one', async () => {
    const list = await tagOf('/v2/customers');
    for (const tag of [`W/${await tagOf()}`, list, list.replace('W/', ''), '""', '"."']) {
      const answer = await update(tag);
      expect([tag, answer.status, errorsOf(answer)]).toEqual([tag, ...STALE]);
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
      `/v2/customers/${NOBODY}`,
      documentOf('customers', {}, {}, NOBODY),
      { 'if-match': '*' },
    );
    expect([answer.status, errorsOf(answer)]).toEqual([404, [['not_found', undefined]]]);
  });

  it('does not prevent the replay of the first answer', async () => {
    const headers = { 'if-match': await tagOf(), 'idempotency-key': 'once' };
    const document = documentOf('customers', { name: 'Changed' }, {}, customer.id);
    const [first, repeat] = [
      await api.client.send('PATCH', path, document, headers),
      await api.client.send('PATCH', path, document, headers),
    ];
    expect([first.status, repeat.status, repeat.body]).toEqual([200, 200, first.body]);
  });

  it('lets one of many concurrent writes of one version pass', async () => {
    const known = await tagOf();
    const names = Array.from({ length: 12 }, (_, number) => `Name ${number}`);
    const answers = await Promise.all(names.map((name) => update(known, name)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, ...Array(11).fill(412)]);
    const winner = answers.find(({ status }) => status === 200)!;
    expect(await nameNow()).toBe(winner.body.data.attributes.name);
  });

  it('prevents the confirmation of a payment that changed since it was read', async () => {
    const demand = await makeDemand(api.client, {}, await makeParties(api.client));
    const at = `/v2/payment_demands/${demand.id}`;
    const known = await tagOf(at);
    await api.client.send(
      'PATCH',
      at,
      documentOf('payment_demands', { amount_cents: 9900 }, {}, demand.id),
    );
    const confirm = (tag: string) =>
      api.client.send('PATCH', `${at}/confirm`, undefined, { 'if-match': tag });
    const late = await confirm(known);
    expect([late.status, errorsOf(late)]).toEqual(STALE);
    const { body, status } = await confirm(await tagOf(at));
    expect([status, body.data.attributes.status]).toEqual([200, 'pending']);
  });
});
