import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { address, makeAddress, makeCustomer, makeDemand } from '../support/make.ts';
import {
  describeReads,
  describeRefusals,
  describeRefusedMethods,
  describeUnknownRelations,
  errorsOf,
  patch,
} from '../support/resource-suite.ts';

const api = useApi();
const make = () => makeAddress(api.client);
/** Rounds of a race that must have no winner. */
const ROUNDS = 20;
const subject = { type: 'consumer_addresses', validAttributes: address, make } as const;

describe('a consumer address', () => {
  describeReads(api, 'consumer_addresses', async () =>
    makeAddress(api.client, {}, { customer: await makeCustomer(api.client) }),
  );
  describeRefusedMethods(api, 'consumer_addresses');

  it('may exist without a customer', async () => {
    const record = await make();
    expect(record.attributes).toMatchObject({ ...address, line_2: null, discarded_at: null });
    expect(record.relationships.customer?.data).toBeNull();
  });

  it.each([
    ['USA', 'USA'],
    ['us', 'USA'],
    ['De', 'DEU'],
    ['gbr', 'GBR'],
    ['XK', 'XKX'],
  ])('has its country %s as ISO 3166-1 alpha-3: %s', async (country, storedCountry) => {
    const state = storedCountry === 'USA' ? 'NY' : 'Somewhere';
    expect((await makeAddress(api.client, { country, state })).attributes.country).toBe(
      storedCountry,
    );
  });

  describeRefusals(api, subject, [
    ...(['line_1', 'city', 'state', 'zip', 'country'] as const).flatMap((name) => [
      [`no ${name}`, { [name]: undefined }, 'blank'] as const,
      [`a null ${name}`, { [name]: null }, 'blank'] as const,
      [`a ${name} of blanks`, { [name]: '  ' }, 'blank'] as const,
    ]),
    ['a first line of 201 characters', { line_1: 'x'.repeat(201) }, 'too_long'],
    ['a second line of 201 characters', { line_2: 'x'.repeat(201) }, 'too_long'],
    ['a zip of 21 characters', { zip: '1'.repeat(21) }, 'too_long'],
    ['a zip that is a number', { zip: 10001 }, 'invalid'],
    ['a country that does not exist', { country: 'XX' }, 'invalid'],
    ['a state that its country does not have', { state: 'Bavaria' }, 'invalid_region'],
    ['a time of discarding', { discarded_at: '2026-01-01T00:00:00Z' }, 'read_only'],
    ['the status of older versions', { status: 'immutable' }, 'unknown_attribute'],
  ]);

  it.each([
    ['USA', 'NY'],
    ['USA', 'new york'],
    ['USA', 'PR'],
    ['USA', 'AE'],
    ['CAN', 'QC'],
    ['CAN', 'British Columbia'],
    ['DEU', 'Bavaria'],
  ])('of %s may be in %s', async (country, state) => {
    expect((await makeAddress(api.client, { country, state })).attributes.state).toBe(state);
  });

  it('cannot be moved to a country that does not have its state', async () => {
    const record = await make();
    const answer = await patch(api, record, { country: 'CAN' });
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [['invalid_region', '/data/attributes/state']],
    ]);
    expect((await patch(api, record, { country: 'CAN', state: 'ON' })).status).toBe(200);
  });

  describeUnknownRelations(api, subject);

  it('keeps its customer: another one is refused', async () => {
    const record = await make();
    const answer = await patch(api, record, {}, { customer: await makeCustomer(api.client) });
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [['read_only', '/data/relationships/customer']],
    ]);
  });

  it('updates only the given attributes', async () => {
    const record = await make();
    const { body } = await patch(api, record, { line_2: 'Apt 4', zip: '10002' });
    expect(body.data.attributes).toEqual({
      ...record.attributes,
      line_2: 'Apt 4',
      zip: '10002',
      updated_at: expect.any(String),
    });
  });

  it.each(['billing_address', 'shipping_address'])(
    'that is the %s of a payment can no longer be changed',
    async (name) => {
      const record = await make();
      await makeDemand(api.client, {}, { [name]: record });
      const answer = await patch(api, record, { zip: '10002' });
      expect([answer.status, errorsOf(answer)]).toEqual([422, [['immutable', '/data']]]);
      expect(await api.client.fetch('consumer_addresses', record.id)).toEqual(record);
    },
  );

  it('cannot change once a payment uses it, even during a change', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const record = await make();
      const change = patch(api, record, { zip: '10002' });
      await makeDemand(api.client, {}, { billing_address: record });
      const fetchedRecord = await api.client.fetch('consumer_addresses', record.id);
      await change;
      expect(await api.client.fetch('consumer_addresses', record.id)).toEqual(fetchedRecord);
    }
  });
});
