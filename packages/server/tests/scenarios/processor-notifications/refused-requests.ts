import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createRefusals } from '../../../src/features/processor-notifications/refusals.ts';
import type { Database } from '../../../src/platform/database/db.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { eventually } from '../../support/make.ts';
import { approved, authorisation, type NotifyingStack } from '../../support/notifying-stack.ts';

/** Requests without a valid signature, and the notice about them. */
export function describeRefusedRequests(florin: NotifyingStack): void {
  describe('a request without a valid signature', () => {
    const count = async () =>
      (await florin.db.query('select count(*) as n from processor_notifications', []))[0]?.n;

    it.each([
      ['a wrong key', { key: 'another-key' }, 401],
      ['an unknown account', { to: '0190f3c2-7b4e-7abc-8def-0123456789ab' }, 404],
      ['no account id', { to: 'x' }, 404],
    ])('with %s stores nothing', async (_, sent, status) => {
      const before = await count();
      expect((await florin.notify([authorisation('x', approved)], sent)).status).toBe(status);
      const unsigned = await fetch(`${florin.stack.baseUrl}/notifications/${florin.account}`, {
        method: 'POST',
      });
      expect(unsigned.status).toBe(401);
      expect(await count()).toBe(before);
    });

    it('is counted for its account if the signature is wrong', async () => {
      const metrics = async () => (await fetch(`${florin.stack.baseUrl}/metrics`)).text();
      const series = `florin_processor_notifications_total{account="${florin.account}",status="refused"}`;
      const refused = async () => Number((await metrics()).split(series)[1]?.split('\n')[0] ?? 0);
      const before = await refused();
      await florin.notify([authorisation('x', approved)], { key: 'another-key' });
      expect(await refused()).toBe(before + 1);
    });

    it('is shown at its account until a later one is accepted', async () => {
      const refusals = async () =>
        (await florin.operator.get(`/processor_accounts/${florin.otherAccount}`)).body.data
          .refused_notifications;
      const facts = [authorisation('x', approved)];
      for (const key of ['another-key', 'a-third-key'])
        expect((await florin.notify(facts, { to: florin.otherAccount, key })).status).toBe(401);
      const shown = await eventually(refusals, (found) => found?.count === 2);
      expect(shown).toMatchObject({
        last_reason: 'wrong_signature',
        last_hash: createHash('sha256').update(JSON.stringify(facts)).digest('hex'),
      });
      expect((await florin.notify(facts, { to: florin.otherAccount })).status).toBe(200);
      expect(await refusals()).toBeNull();
      expect(
        (await florin.notify(facts, { to: florin.otherAccount, key: 'another-key' })).status,
      ).toBe(401);
      expect((await florin.notify(facts, { to: florin.otherAccount })).status).toBe(200);
      expect(await refusals()).toBeNull();
    });

    it('stays away once a later one is accepted, although another server counts it afterwards', async () => {
      const refusals = async () =>
        (await florin.operator.get(`/processor_accounts/${florin.otherAccount}`)).body.data
          .refused_notifications;
      const facts = [authorisation('x', approved)];
      expect((await florin.notify(facts, { to: florin.otherAccount })).status).toBe(200);
      const otherServer = createRefusals({ db: florin.db, logger: createLogger('silent') });
      const refuse = async (at: number) => {
        otherServer.add({
          account_id: florin.otherAccount,
          hash: 'f00',
          why: 'wrong_signature',
          at,
        });
        await otherServer.close();
      };
      florin.clock.advance(1);
      const refused_at = florin.clock.now();
      florin.clock.advance(1);
      // A repeated notification is stored once.
      expect((await florin.notify(facts, { to: florin.otherAccount })).status).toBe(200);
      await refuse(refused_at);
      expect(await refusals()).toBeNull();
      // The other server has looked just before the acceptance.
      await florin.db.query(
        `insert into processor_account_refusals values ($1, 7, to_timestamp($2), to_timestamp($2), 'wrong_signature', 'f00')`,
        [florin.otherAccount, refused_at / 1_000_000],
      );
      expect(await refusals()).toBeNull();
      florin.clock.advance(1);
      await refuse(florin.clock.now());
      expect(await refusals()).toMatchObject({ count: 1 });
      florin.clock.advance(1);
      expect((await florin.notify(facts, { to: florin.otherAccount })).status).toBe(200);
      expect(await refusals()).toBeNull();
    });

    it('costs one write, however many arrive, and none if a later one was accepted', async () => {
      const queries: unknown[] = [];
      const counting = new Proxy(florin.db, {
        get: (target, name) =>
          name === 'query'
            ? (...given: Parameters<Database['query']>) =>
                queries.push(given) && florin.db.query(...given)
            : Reflect.get(target, name),
      });
      const rowsOf = async () =>
        florin.db.query(
          'select count from processor_account_refusals where processor_account_id = $1',
          [florin.account],
        );
      const refusal = { account_id: florin.account, hash: 'f00', why: 'wrong_signature' };
      // Ends what the tests before counted.
      expect((await florin.notify([authorisation('x', approved)])).status).toBe(200);
      const refusals = createRefusals({ db: counting, logger: createLogger('silent') });
      for (let count = 0; count < 1_000; count += 1)
        refusals.add({ ...refusal, at: florin.clock.now() });
      await refusals.close();
      expect(queries).toHaveLength(1);
      expect((await rowsOf()).map(({ count }) => Number(count))).toEqual([1_000]);
      florin.clock.advance(1);
      expect((await florin.notify([authorisation('x', approved)])).status).toBe(200);
      refusals.add({ ...refusal, at: florin.clock.now() - 60_000_000 });
      await refusals.close();
      expect(await rowsOf()).toEqual([]);
    });
  });
}
