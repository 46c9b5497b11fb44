import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { documentOf } from '../support/client.ts';
import { makeIdentification, makeOfficial } from '../support/make.ts';
import {
  describeReads,
  describeRefusedMethods,
  describeUnknownRelations,
  errorsOf,
} from '../support/resource-suite.ts';

const api = useApi();
const make = () => makeOfficial(api.client);
const subject = {
  type: 'corporate_officials',
  validAttributes: { role: 'Treasurer' },
  make,
} as const;

describe('a corporate official', () => {
  describeReads(api, 'corporate_officials', make);
  describeRefusedMethods(api, 'corporate_officials');
  describeUnknownRelations(api, subject);

  it('does not manage the business unless stated', async () => {
    expect((await make()).attributes).toMatchObject({
      role: 'Treasurer',
      daily_contact: false,
      payments_decision_maker: false,
    });
    const contact = { daily_contact: true, payments_decision_maker: true };
    expect((await makeOfficial(api.client, contact)).attributes).toMatchObject(contact);
  });

  it.each([
    ['no role', {}, 'blank', '/data/attributes/role'],
    ['a role of 101 characters', { role: 'x'.repeat(101) }, 'too_long', '/data/attributes/role'],
    [
      'a contact that is no truth value',
      { role: 'Treasurer', daily_contact: 'yes' },
      'invalid',
      '/data/attributes/daily_contact',
    ],
  ] as const)('with %s is refused', async (_title, attributes, code, pointer) => {
    const person = await makeIdentification(api.client);
    const answer = await api.client.send(
      'POST',
      '/v2/corporate_officials',
      documentOf('corporate_officials', attributes, { personal_identification: person }),
    );
    expect([answer.status, errorsOf(answer)]).toEqual([422, [[code, pointer]]]);
  });

  it('must identify a person', async () => {
    const answer = await api.client.send(
      'POST',
      '/v2/corporate_officials',
      documentOf('corporate_officials', subject.validAttributes),
    );
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [['blank', '/data/relationships/personal_identification']],
    ]);
  });

  it('may hold several offices', async () => {
    const person = await makeIdentification(api.client);
    for (const role of ['Treasurer', 'Secretary']) {
      await api.client.make('corporate_officials', { role }, { personal_identification: person });
    }
    const { body } = await api.client.get(
      `/v2/personal_identifications/${person.id}/relationships/corporate_officials`,
    );
    expect(body.data).toHaveLength(2);
  });
});
