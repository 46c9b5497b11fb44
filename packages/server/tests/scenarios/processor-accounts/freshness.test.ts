import { expect, it, onTestFinished } from 'vitest';
import {
  createProcessorAccounts,
  ROUTING_LIFE_MS,
} from '../../../src/features/processor-accounts/accounts.ts';
import type { Db } from '../../../src/platform/database/db.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { openOne } from '../../support/cells.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
/** Statements of one read: accounts, and the rules of both modes. */
const READ = 3;

/** Accounts that are out of date, on a pool of one connection that counts its statements. */
async function startAccounts() {
  const db = openOne(database.url);
  onTestFinished(() => db[Symbol.asyncDispose]());
  const count = { statements: 0 };
  /** Takes the connection for all statements, as through PgBouncer. */
  const query: Db['query'] = (sql, values, name) => {
    count.statements += 1;
    return db.query(sql, values, name);
  };
  const clock = { now_ms: 0 };
  const accounts = await createProcessorAccounts({
    db: { query },
    monotonic_ms: () => clock.now_ms,
    adapters: {},
    logger: createLogger('silent'),
  });
  clock.now_ms += ROUTING_LIFE_MS + 1;
  count.statements = 0;
  return { accounts, clock, count, db };
}

it('payments share the read of accounts that is in flight', async () => {
  const { accounts, count } = await startAccounts();
  await Promise.all(Array.from({ length: 20 }, () => accounts.requireFresh()));
  expect(count.statements).toBe(READ);
  await accounts.requireFresh();
  expect(count.statements).toBe(READ);
});

it('payments share the read that the loop has begun', async () => {
  const { accounts, count } = await startAccounts();
  await Promise.all([accounts.refresh(), accounts.requireFresh()]);
  expect(count.statements).toBe(READ);
});

it('a payment does not share a read that began too long ago', async () => {
  const { accounts, clock, count } = await startAccounts();
  const slow = accounts.requireFresh();
  clock.now_ms += ROUTING_LIFE_MS + 1;
  await Promise.all([slow, accounts.requireFresh(), accounts.requireFresh()]);
  expect(count.statements).toBe(2 * READ);
});

it('a transaction reads on its own connection while the shared read waits for one', async () => {
  const { accounts, count, db } = await startAccounts();
  const shared = await db.transaction(async (tx) => {
    const done = accounts.requireFresh();
    await accounts.requireFresh(tx);
    expect(count.statements).toBe(1);
    return { done };
  });
  await shared.done;
  expect(count.statements).toBe(READ);
});

it('payments after a read that failed begin another', async () => {
  const { accounts, count, db } = await startAccounts();
  await db.query('alter table routing_rules rename to other', []);
  await expect(accounts.requireFresh()).rejects.toThrow('routing_rules');
  await db.query('alter table other rename to routing_rules', []);
  count.statements = 0;
  await accounts.requireFresh();
  expect(count.statements).toBe(READ);
});
