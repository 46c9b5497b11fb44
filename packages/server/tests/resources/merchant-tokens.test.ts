import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import {
  describeReads,
  describeRefusals,
  describeRefusedMethods,
} from '../support/resource-suite.ts';

const api = useApi();
const valid = { name: 'Warehouse', context: 'secret' };
const make = (attributes: object = {}): Promise<ResourceObject> =>
  api.client.make('merchant_tokens', { ...valid, ...attributes });

describe('a merchant token', () => {
  describeReads(api, 'merchant_tokens', make);
  describeRefusedMethods(api, 'merchant_tokens');

  it.each([
    ['secret', /^ept_sandbox_s[1-9A-HJ-NP-Za-km-z]{24,}$/],
    ['browser', /^ept_sandbox_b[1-9A-HJ-NP-Za-km-z]{24,}$/],
  ])('of context %s is a key of its own form', async (context, form) => {
    const { attributes } = await make({ context });
    expect(attributes).toMatchObject({ context, schema: 'sandbox', name: 'Warehouse' });
    expect(attributes.token).toMatch(form);
  });

  it('is shown when it is made and never again', async () => {
    const made = await make();
    const fetched = await api.client.fetch('merchant_tokens', made.id);
    expect(fetched.attributes).toEqual({ ...made.attributes, token: null });
    const { body } = await api.client.get('/v2/merchant_tokens');
    expect(body.data.every(({ attributes }: ResourceObject) => attributes.token === null)).toBe(
      true,
    );
  });

  it('opens the interface for its merchant', async () => {
    const { attributes, id } = await make();
    const { status, body } = await api.as(attributes.token).get(`/v2/merchant_tokens/${id}`);
    expect([status, body.data.id]).toEqual([200, id]);
  });

  it('is of the mode of the key that makes it', async () => {
    const { attributes } = await api.live.make('merchant_tokens', valid);
    expect([attributes.schema, attributes.token.startsWith('ept_live_s')]).toEqual(['live', true]);
  });

  it('expires when it says', async () => {
    const { attributes } = await make({ expiry: '2000-01-01T00:00:00+02:00' });
    expect(attributes.expiry).toBe('1999-12-31T22:00:00.000000Z');
    expect((await api.as(attributes.token).get('/v2/customers')).status).toBe(401);
  });

  describeRefusals(api, { type: 'merchant_tokens', valid, make }, [
    ['no name', { name: undefined }, 'blank'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'too_long'],
    ['no context', { context: undefined }, 'blank'],
    ['a context that does not exist', { context: 'server' }, 'not_in_list'],
    ['a schema that does not exist', { schema: 'test' }, 'not_in_list'],
    ['the schema of the other mode', { schema: 'live' }, 'mode_mismatch'],
    ['a token of its own choice', { token: 'ept_sandbox_sMine' }, 'read_only'],
    ['an expiry that is no time', { expiry: 'tomorrow' }, 'invalid'],
  ]);
});
