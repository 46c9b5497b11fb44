import { ProblemError } from '@florin/contract/errors.ts';
import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { instantText, systemClock } from '../../kernel/clock.ts';
import { uuidv7 } from '../../kernel/ids.ts';
import { type Catalog, loadCatalog } from '../../store/catalog.ts';
import { type Database, openDatabase } from '../../store/db.ts';
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
  const ids = { merchant_id, mode: 'sandbox', id: uuidv7(now) };
  const row = { ...ids, email: 'ada@example.com', created_at: at, updated_at: at };
  return {
    record: { row, events: [], ...(key && { idempotency: { key, request_hash: 'a' } }) },
    references: [],
  };
}

it('an earlier record that cannot be read fails its own request, while its neighbours are made once', async () => {
  const twin = customer('order-1');
  await createCreator({ db, catalog }, 'customers')(twin);
  const faulty: Database = {
    ...db,
    query: (sql, values, name) =>
      name === 'find_customers'
        ? Promise.reject(new Error('look-up failed'))
        : db.query(sql, values, name),
  };
  const create = createCreator({ db: faulty, catalog }, 'customers');
  const [neighbour, replayed, last] = await Promise.allSettled(
    [customer(), customer('order-1'), customer()].map(create),
  );
  expect([neighbour?.status, last?.status]).toEqual(['fulfilled', 'fulfilled']);
  const reason = (replayed as PromiseRejectedResult).reason as ProblemError;
  expect(reason).toBeInstanceOf(ProblemError);
  expect(reason.problems.map(({ code }) => code)).toEqual(['unavailable']);
  const [row] = await db.query('select count(*) from customers where merchant_id = $1', [
    merchant_id,
  ]);
  expect(row?.count).toBe('3');
});
