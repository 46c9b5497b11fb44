import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { newestOf } from '../support/make.ts';
import { describeReads, describeRefusedMethods } from '../support/resource-suite.ts';

const api = useApi();
const emailsOf = (records: readonly ResourceObject[]) =>
  records.map(({ attributes }) => attributes.email).toSorted();

describe('an account', () => {
  describeReads(api, 'accounts', () => newestOf(api.client, 'accounts'), [
    'personal_identification',
  ]);
  describeRefusedMethods(api, 'accounts');

  it('is visible to its merchant, with keys of both modes', async () => {
    const { email } = api.stack.credentials.account;
    const emails = [email, email.replace('owner', 'support')];
    for (const client of [api.client, api.live]) {
      expect(emailsOf((await client.get('/v2/accounts')).body.data)).toEqual(emails);
    }
  });

  it('never shows its password', async () => {
    const { body } = await api.client.get('/v2/accounts');
    expect(JSON.stringify(body)).not.toMatch(/password|scrypt/);
  });

  it.each([
    ['account_status=active', 2],
    ['account_status=archived', 0],
    ['memberships.opener=true', 1],
    ['memberships.permissions.slug=transaction.refund_demands.create', 2],
    ['memberships.permissions.slug=user.merchants.update', 1],
  ])('is found by filter %s: %i', async (filter, count) => {
    const { body } = await api.client.get(`/v2/accounts?filter[${filter.replace('=', ']=')}`);
    expect(body.data).toHaveLength(count);
  });

  it('is found by its email', async () => {
    const { email } = api.stack.credentials.account;
    const { body } = await api.client.get(`/v2/accounts?filter[email]=${email}`);
    expect(emailsOf(body.data)).toEqual([email]);
  });
});
