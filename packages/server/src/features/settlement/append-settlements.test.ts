import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { newId } from '@florin/dev-env/insert-unchecked.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Catalog, loadCatalog } from '../../platform/database/catalog.ts';
import { type Database, openDatabase } from '../../platform/database/db.ts';
import { appendSettlements } from './append-settlements.ts';

const cleanup = new AsyncDisposableStack();
let db: Database;
let catalog: Catalog;

beforeAll(async () => {
  const { url } = cleanup.use(await cloneDatabase());
  db = cleanup.use(openDatabase({ url, connections_max: 1 }));
  catalog = await loadCatalog(db);
});
afterAll(() => cleanup.disposeAsync());

it('the error about removed payments names their count, the first and the next step', async () => {
  const merchant_id = newId();
  const [first, second] = [newId(), newId()];
  const transfers = [first, first, second].map((payment_demand_id) => ({
    merchant_id,
    payment_demand_id,
  }));
  await expect(
    db.transaction((tx) => appendSettlements({ catalog }, tx, transfers)),
  ).rejects.toThrow(
    `2 payments of this settlement were removed, first ${merchant_id} ${first} (merchant, payment). Run \`florin ledger verify\`.`,
  );
});
