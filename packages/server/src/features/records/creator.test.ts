import { ProblemError } from '@florin/contract/errors.ts';
import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { defaults } from '../../config/config.ts';
import { type Catalog, loadCatalog } from '../../platform/database/catalog.ts';
import { type Database, openDatabase } from '../../platform/database/db.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText, systemClock } from '../../platform/time/clock.ts';
import { type CreateItem, createCreator } from './creator.ts';

const clock = systemClock();
const cleanup = new AsyncDisposableStack();
let db: Database;
let catalog: Catalog;
beforeAll(async () => {
  const { url } = cleanup.use(await cloneDatabase());
  db = cleanup.use(openDatabase({ url, connections_max: 4 }));
  catalog = await loadCatalog(db);
});
afterAll(() => cleanup.disposeAsync());

const merchant_id = uuidv7(clock.now());

function customer(key?: string): CreateItem {
  const now = clock.now();
  const at = instantText(now);
  const ids = { merchant_id, mode: 'sandbox' as const, id: uuidv7(now) };
  const row = { ...ids, email: 'ada@example.com', created_at: at, updated_at: at };
  const idempotency = key && { ...ids, ...request, key };
  return { record: { row, events: [], ...(idempotency && { idempotency }) }, references: [] };
}

const request = {
  resource_type: 'customers',
  operation: 'create',
  request_hash: 'a',
  expires_at: null,
};

it('a record whose key is taken fails alone; the others of its batch are stored once', async () => {
  const create = createCreator({ db, catalog, config: defaults }, 'customers');
  await create(customer('order-1'));
  const [firstResult, duplicateResult, lastResult] = await Promise.allSettled(
    [customer(), customer('order-1'), customer()].map(create),
  );
  expect([firstResult?.status, lastResult?.status]).toEqual(['fulfilled', 'fulfilled']);
  const reason = (duplicateResult as PromiseRejectedResult).reason as ProblemError;
  expect(reason).toBeInstanceOf(ProblemError);
  expect(reason.problems.map(({ code }) => code)).toEqual(['unavailable']);
  const [row] = await db.query('select count(*) from customers where merchant_id = $1', [
    merchant_id,
  ]);
  expect(row?.count).toBe('3');
});
