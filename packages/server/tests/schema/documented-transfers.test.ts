import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { expect, it } from 'vitest';
import { findTransfersToDocument } from '../../src/features/documents/sql.ts';
import { type Db, openDatabase } from '../../src/platform/database/db.ts';

/** As few as in a young installation, whose plans are kept for seconds while the tables grow. */
const TRANSFERS = 200;

/** Captures of one merchant, each in a transaction of its own. */
const transfersSql = `insert into ledger_transfers (merchant_id, mode, id, kind, debit_account, credit_account,
    amount_cents, amount_currency, source_id, payment_demand_id, created_at, posted_in)
  select '01935f00-0000-7000-8000-00000000b0b0', 'sandbox', uuid7(now()), 'captured', 'processor', 'merchant', 100,
    'USD', uuid7(now()), uuid7(now()), now(), n from generate_series(1, ${TRANSFERS}) n`;

it('the transfers of a slice are found without reading all of their kind', async () => {
  await using clone = await cloneDatabase();
  await using admin = openDatabase({ url: clone.adminUrl, connections_max: 1 });
  await admin.query('set session_replication_role = replica', []);
  await admin.query(transfersSql, []);
  const plans: string[] = [];
  const explaining: Db = {
    async query(sql) {
      plans.push(
        ...(await admin.transaction(async (tx) => {
          await tx.query('set local enable_seqscan = off', []);
          const rows = await tx.query(`explain (generic_plan) ${sql}`, []);
          return rows.map((row) => row['QUERY PLAN'] as string);
        })),
      );
      return [];
    },
  };
  await findTransfersToDocument(explaining, 10n, 2_000n);
  const plan = plans.join('\n');
  expect(plan).toContain('ledger_transfers_posted');
  expect(plan).not.toMatch(/ledger_transfers_kind|payment_demands_subscription/);
});
