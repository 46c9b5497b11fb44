import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { instantText, seconds, systemClock } from '../kernel/clock.ts';
import { uuidv7 } from '../kernel/ids.ts';
import { type Catalog, loadCatalog } from './catalog.ts';
import { type Database, openDatabase } from './db.ts';
import type { Row } from './row.ts';
import { insertRows } from './rows.ts';
import { keyText, lockRows, transition } from './transition.ts';

const clock = systemClock();
const cleanup = new AsyncDisposableStack();
let db: Database;
let catalog: Catalog;
beforeAll(async () => {
  const { url } = cleanup.use(await cloneDatabase());
  db = cleanup.use(openDatabase({ url, connections_max: 2 }));
  catalog = await loadCatalog(db);
});
afterAll(() => cleanup.disposeAsync());

async function changedAt(key: { merchant_id: string; id: string }, at: string): Promise<Row> {
  return db.transaction(async (tx) => {
    const before = (await lockRows(tx, 'customers', [key])).get(keyText(key)) as Row;
    const options = { table: 'customers', at };
    const [after] = await transition(tx, catalog, options, [{ before, set: { name: at } }]);
    return after as Row;
  });
}

it('moves updated_at with every change, also by a clock that stands still or was set back', async () => {
  const now = clock.now();
  const made = instantText(now);
  const key = { merchant_id: uuidv7(now), id: uuidv7(now) };
  await insertRows(db, catalog, 'customers', [
    { ...key, mode: 'sandbox', email: 'ada@example.com', created_at: made, updated_at: made },
  ]);
  const times: (string | null | undefined)[] = [];
  for (const at of [now, now, now - seconds(60), now + seconds(1)]) {
    times.push((await changedAt(key, instantText(at))).updated_at);
  }
  expect(times).toEqual([now + 1, now + 2, now + 3, now + seconds(1)].map(instantText));
});
