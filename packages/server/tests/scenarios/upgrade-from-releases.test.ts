import { describe, expect, it } from 'vitest';
import { verifyLedger } from '../../src/features/settlement/verify-ledger.ts';
import { openDatabase } from '../../src/platform/database/db.ts';
import { useOwnStack } from '../support/api.ts';
import type { Client, ResourceObject } from '../support/client.ts';
import { makeDemand, makeParties, makeRefund, waitForOutcome } from '../support/make.ts';
import { migrateRelease, recordedReleases, restoreRelease } from '../support/recorded-release.ts';

/** The first payment of the recorded installation. */
async function oldest(client: Client): Promise<ResourceObject> {
  const { body } = await client.get('/v2/payment_demands?sort=created_at&page[size]=1');
  return body.data[0];
}

const partiesOf = ({ relationships }: ResourceObject) =>
  Object.fromEntries(
    ['payer', 'payment_method', 'billing_address'].map((name) => [
      name,
      relationships[name]?.data as ResourceObject,
    ]),
  );

it('there are installations of the two last releases', () => {
  expect(recordedReleases.length).toBeGreaterThanOrEqual(2);
});

describe.each(recordedReleases.slice(-2))(
  'an installation of $release, schema $server',
  (release) => {
    let applied: readonly string[];
    const api = useOwnStack({
      files: release.files,
      async prepare(database) {
        await restoreRelease(database, release);
        applied = await migrateRelease(database.url, 'apply');
      },
    });

    it('is migrated, and then has the tables of this release', async () => {
      expect(applied.length).toBeGreaterThan(2);
      expect(await migrateRelease(api.stack.databaseUrl, 'verify')).toEqual([
        "The server's tables are as this release made them.",
        "The vault's tables are as this release made them.",
      ]);
    });

    it('takes payments with a new card, and with a card from before', async () => {
      const { client } = api;
      const payment = await makeDemand(client, { confirmed: true }, await makeParties(client));
      expect((await waitForOutcome(client, payment.id)).attributes.status).toBe('succeeded');
      const again = await makeDemand(client, { confirmed: true }, partiesOf(await oldest(client)));
      expect((await waitForOutcome(client, again.id)).attributes.status).toBe('succeeded');
    });

    it('refunds a payment from before', async () => {
      const { client } = api;
      const refund = await makeRefund(client, await oldest(client), {
        amount_cents: 100,
        amount_currency: 'USD',
      });
      const { attributes } = await waitForOutcome(client, refund.id, 'refund_demands');
      expect(attributes.status).toBe('succeeded');
    });

    it('has a ledger that matches its records', async () => {
      await using db = openDatabase({ url: api.stack.databaseUrl, connections_max: 1 });
      const checks = await verifyLedger(db);
      expect(checks.filter(({ differences }) => differences.length > 0)).toEqual([]);
      expect(checks.find(({ noun }) => noun === 'ledger transfers')?.count).toBeGreaterThan(24);
    });
  },
);
