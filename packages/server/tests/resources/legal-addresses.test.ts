import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { address, makeLegalAddress } from '../support/make.ts';
import {
  describeReads,
  describeRefusals,
  describeRefusedMethods,
} from '../support/resource-suite.ts';

const api = useApi();
const make = () => makeLegalAddress(api.client);
const subject = { type: 'legal_addresses', validAttributes: address, make } as const;

describe('a legal address', () => {
  describeReads(api, 'legal_addresses', make);
  describeRefusedMethods(api, 'legal_addresses');

  it('is stored as sent', async () => {
    expect((await makeLegalAddress(api.client, { line_2: 'Apt 4' })).attributes).toMatchObject({
      ...address,
      line_2: 'Apt 4',
    });
  });

  describeRefusals(api, subject, [
    ...(['line_1', 'city', 'state', 'zip', 'country'] as const).flatMap((name) => [
      [`no ${name}`, { [name]: undefined }, 'blank'] as const,
      [`a null ${name}`, { [name]: null }, 'blank'] as const,
    ]),
    ['a first line of 201 characters', { line_1: 'x'.repeat(201) }, 'too_long'],
    ['a country that does not exist', { country: 'XX' }, 'invalid'],
    ['a state that its country does not have', { state: 'Bavaria' }, 'invalid_region'],
    ['an attribute that does not exist', { planet: 'Mars' }, 'unknown_attribute'],
  ]);

  it('is seen in its own mode only', async () => {
    const { id } = await make();
    expect((await api.live.get(`/v2/legal_addresses/${id}`)).status).toBe(404);
    const { id: live_id } = await makeLegalAddress(api.live);
    expect((await api.client.get(`/v2/legal_addresses/${live_id}`)).status).toBe(404);
  });
});
