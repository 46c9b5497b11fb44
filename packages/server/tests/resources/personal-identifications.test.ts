import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { documentOf, UNKNOWN_ID } from '../support/client.ts';
import { sealerOf } from '../support/instance-secrets.ts';
import { makeIdentification, makeLegalAddress, newestOf } from '../support/make.ts';
import {
  describeReads,
  describeRefusals,
  describeRefusedMethods,
  describeUnknownRelations,
  errorsOf,
} from '../support/resource-suite.ts';

const api = useApi();
const make = () => makeIdentification(api.client, person);

const person = {
  full_name: 'Ada Lovelace',
  personal_name: 'Ada',
  surname: 'Lovelace',
  name_on_document: 'Augusta Ada King',
  nationality: 'GBR',
  dob: '1985-12-10',
  email: 'ada@example.com',
  phone_number: '+12125550123',
  id_number: '900-70-4321',
};
const subject = {
  type: 'personal_identifications',
  validAttributes: { full_name: person.full_name },
  make,
} as const;

const dayBefore = (date: Date): string =>
  new Date(date.getTime() - 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

describe('a personal identification', () => {
  describeReads(
    api,
    'personal_identifications',
    async () =>
      makeIdentification(api.client, person, {
        legal_address: await makeLegalAddress(api.client),
        merchant: await newestOf(api.client, 'merchants'),
      }),
    ['beneficial_owners', 'corporate_officials'],
  );
  describeRefusedMethods(api, 'personal_identifications');
  describeUnknownRelations(api, subject);

  it('is as sent, except for the document number, which is shortened', async () => {
    const identification = await make();
    expect(identification.attributes).toMatchObject({ ...person, id_number: '*******4321' });
    expect(await api.client.fetch('personal_identifications', identification.id)).toEqual(
      identification,
    );
  });

  it('stores the full number, which no answer and no event contains', async () => {
    const { id } = await make();
    const [row] = await api.fixtures.db.query(
      'select id_number, id_number_full from personal_identifications where id = $1',
      [id],
    );
    const sealer = await sealerOf(api.stack.dataDir);
    const merchant_id = (await api.fixtures.getDemoMerchant()).id;
    const open = (column: string) =>
      sealer.open(row?.[column] as string, { merchant_id, id, column });
    expect([open('id_number'), open('id_number_full')]).toEqual(['*******4321', '900-70-4321']);
    for (const path of [
      `/v2/personal_identifications/${id}`,
      '/v2/personal_identifications',
      '/v2/corporate_officials?include=personal_identification',
      '/v2/events',
    ]) {
      expect(JSON.stringify((await api.client.get(path)).body), path).not.toContain('900-70-');
    }
  });

  it('needs only a name', async () => {
    const { attributes } = await makeIdentification(api.client, subject.validAttributes);
    expect(attributes).toMatchObject({ full_name: 'Ada Lovelace', dob: null, id_number: null });
  });

  describeRefusals(api, subject, [
    ['no name', { full_name: undefined }, 'blank'],
    ['a name of 201 characters', { full_name: 'x'.repeat(201) }, 'too_long'],
    ['a nationality that does not exist', { nationality: 'XX' }, 'invalid'],
    ['a birth that is no date', { dob: 'in May' }, 'invalid'],
    ['a birth on a day that does not exist', { dob: '1985-02-30' }, 'invalid'],
    ['a birth in the future', { dob: '2999-01-01' }, 'invalid'],
    ['a birth in 1850', { dob: '1850-01-01' }, 'invalid'],
    ['an e-mail address without a domain', { email: 'ada' }, 'invalid'],
    ['a telephone number of letters', { phone_number: 'home' }, 'invalid_phone'],
    ['a number of three characters', { id_number: '123' }, 'too_short'],
    ['a number of 51 characters', { id_number: 'x'.repeat(51) }, 'too_long'],
    ['the column of the full number', { id_number_full: '900-70-4321' }, 'unknown_attribute'],
  ]);

  it('accepts a birth date of yesterday', async () => {
    const dob = dayBefore(new Date());
    expect((await makeIdentification(api.client, { dob })).attributes.dob).toBe(dob);
  });

  it.each([
    ['another merchant', async () => (await api.fixtures.makeMerchant()).id],
    ['no merchant', async () => UNKNOWN_ID],
  ])('that names %s is refused', async (_title, getMerchantId) => {
    const merchant = { type: 'merchants', id: await getMerchantId() };
    const answer = await api.client.send(
      'POST',
      '/v2/personal_identifications',
      documentOf('personal_identifications', subject.validAttributes, { merchant }),
    );
    expect([answer.status, errorsOf(answer)]).toEqual([
      404,
      [['relationship_not_found', '/data/relationships/merchant']],
    ]);
  });

  it.each(Object.keys(person))('cannot be searched by %s, which is personal', async (name) => {
    for (const query of [`filter[${name}]=x`, `sort=${name}`]) {
      const { status } = await api.client.get(`/v2/personal_identifications?${query}`);
      expect([query, status]).toEqual([query, 400]);
    }
  });

  it('in an error does not repeat the sent values', async () => {
    const answer = await api.client.send(
      'POST',
      '/v2/personal_identifications',
      documentOf('personal_identifications', { ...person, dob: '1801-02-03', nationality: 'QQZ' }),
    );
    expect(answer.status).toBe(422);
    for (const text of ['1801-02-03', 'QQZ', '4321', 'Lovelace']) {
      expect(JSON.stringify(answer.body)).not.toContain(text);
    }
  });
});
