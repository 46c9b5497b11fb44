import { type BalanceSums, statementOf } from '@florin/contract/balance-statement.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBalanceDifferences } from '../../src/features/ledger/sql/balance-check.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { useDatabase } from '../support/database.ts';
import { anyHistory, openRandomLedger } from '../support/random-ledger.ts';

const RUNS = 25;
const database = useDatabase();
let db: Database;
let ledger: Awaited<ReturnType<typeof openRandomLedger>>;

beforeAll(async () => {
  db = openDatabase({ url: database.url, connections_max: 2 });
  ledger = await openRandomLedger(db);
});
afterAll(() => db[Symbol.asyncDispose]());

const numbersOf = (row: Row): Record<string, number> =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => name.endsWith('_cents'))
      .map(([name, value]) => [name, Number(value)]),
  );

const sumOf = (amounts: readonly number[]): number =>
  amounts.reduce((sum, cents) => sum + cents, 0);

it('the lines of a balance sum to each of its figures, whatever happens to payments', async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, async (history) => {
      const merchant_id = await ledger.write(history);
      for (const row of await db.query('select * from balances where merchant_id = $1', [
        merchant_id,
      ])) {
        const balance = numbersOf(row);
        const lines = statementOf(balance as unknown as BalanceSums);
        expect({
          available_cents: sumOf(lines.map(({ available_cents }) => available_cents)),
          unsettled_cents: sumOf(lines.map(({ unsettled_cents }) => unsettled_cents)),
          owed_cents: sumOf(lines.map(({ total_cents }) => total_cents)),
        }).toEqual({
          available_cents: balance.available_cents,
          unsettled_cents: balance.unsettled_cents,
          owed_cents: balance.owed_cents,
        });
      }
    }),
    { numRuns: RUNS },
  );
  expect(await findBalanceDifferences(db)).toEqual([]);
});
