import { describe, expect, it } from 'vitest';
import { RULES_MAX } from '../../../src/features/processor-accounts/rules.ts';
import type { AccountsStack } from '../../support/accounts-stack.ts';
import { UNKNOWN_ID } from '../../support/client.ts';

/** Changes of accounts and rules, also by two operators at once. */
export function describeAccountChanges(florin: AccountsStack): void {
  describe('changed credentials of an account in use', () => {
    const changeOf = (origin: string, secrets: object) => ({
      name: 'Changed',
      settings: { origin },
      secrets,
    });

    it('replace the old ones when the processor accepts them', async () => {
      const id = await florin.connect('Rotated', florin.networks.eu);
      const change = changeOf(florin.networks.eu, { api_key: 'sk_example_new_key' });
      expect((await florin.operator.send('PUT', `/processor_accounts/${id}`, change)).status).toBe(
        204,
      );
      expect((await florin.pay({})).status).toBe('succeeded');
    });

    it('are not stored when the processor refuses them', async () => {
      const id = await florin.connect('Kept', florin.networks.eu);
      const change = changeOf(florin.refusingUrl, { api_key: 'sk_example_new_key' });
      const { status, body } = await florin.operator.send(
        'PUT',
        `/processor_accounts/${id}`,
        change,
      );
      expect([status, body.errors[0].detail]).toEqual([
        422,
        'Example Pay refused the credentials: it answered 401. Nothing was changed.',
      ]);
      expect((await florin.pay({})).status).toBe('succeeded');
    });

    it('must contain the secrets again if the address changes', async () => {
      const id = await florin.connect('Moved', florin.networks.eu);
      const { body } = await florin.operator.send(
        'PUT',
        `/processor_accounts/${id}`,
        changeOf(florin.networks.us, {}),
      );
      expect(body.errors[0].detail).toBe('secrets.api_key is required: Example Pay needs it.');
    });
  });

  describe('two operators at once', () => {
    const put = (path: string, body: object, etag: string) =>
      florin.operator.send('PUT', path, body, undefined, { 'if-match': etag });
    const rulesOf = async () => (await florin.operator.get('/routing/sandbox')).body;

    it('change an account one after the other: the second one reads it again first', async () => {
      const id = await florin.createAccount('Shared', florin.networks.eu);
      const path = `/processor_accounts/${id}`;
      const { etag } = (await florin.operator.get(path)).body.data;
      const change = { name: 'First', settings: {}, secrets: {} };
      expect((await put(path, change, etag)).status).toBe(204);
      const refused = await put(path, { ...change, name: 'Second' }, etag);
      expect([refused.status, refused.body.errors[0].code]).toEqual([412, 'stale_record']);
      const { data } = (await florin.operator.get(path)).body;
      expect(data).toMatchObject({
        merchant_name: null,
        notification_url: null,
      });
      await florin.act(id, 'check');
      expect((await put(path, { ...change, name: 'Third' }, data.etag)).status).toBe(204);
      expect(data.secrets).toEqual([{ name: 'api_key', stored_at: expect.any(String) }]);
    });

    it('change the rules one after the other: the second one reads them again first', async () => {
      const { data, etag } = await rulesOf();
      expect(data).toEqual([]);
      const rules = [{ name: 'All', accounts: ['network'] }];
      expect((await put('/routing/sandbox', { rules }, etag)).status).toBe(204);
      const refused = await put('/routing/sandbox', { rules: [] }, etag);
      expect([refused.status, refused.body.errors[0].code]).toEqual([412, 'stale_record']);
      const next = await rulesOf();
      expect(next.data).toHaveLength(1);
      expect((await put('/routing/sandbox', { rules: [] }, next.etag)).status).toBe(204);
    });
  });

  describe('rules', () => {
    it('of one mode leave room for those of the other', async () => {
      const id = await florin.createAccount('Live', florin.networks.eu, { mode: 'live' });
      const liveRules = Array.from({ length: RULES_MAX }, () => ({ name: 'Live', accounts: [id] }));
      const putLive = (rules: readonly object[]) =>
        florin.operator.send('PUT', '/routing/live', { rules });
      expect((await putLive(liveRules)).status).toBe(204);
      const account = await florin.connect('Ruled', florin.networks.us);
      expect((await florin.operator.get('/routing/sandbox')).body.data).toHaveLength(1);
      const { id: payment } = await florin.pay({});
      expect((await florin.attemptOf(payment))?.processor_account_id).toBe(account);
      expect((await putLive([])).status).toBe(204);
    });

    it.each<[string, object, string]>([
      [
        'an account that does not exist',
        { accounts: ['nobody'] },
        'rules[0].accounts names nobody',
      ],
      [
        'a merchant that does not exist',
        { merchant_id: UNKNOWN_ID, accounts: ['network'] },
        'rules[0].merchant_id names no merchant',
      ],
      [
        'an unknown condition',
        { conditions: { colour: ['red'] }, accounts: ['nobody'] },
        'rules[0]: conditions has no member `colour`',
      ],
    ])('that name %s are refused', async (_, change, detail) => {
      const { status, body } = await florin.setRules([{ name: 'Wrong', ...change }]);
      expect(status).toBe(422);
      expect(body.errors[0].detail).toContain(detail);
    });
  });
}
