import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { instantText, seconds, systemClock } from '../kernel/clock.ts';
import { uuidv7 } from '../kernel/ids.ts';
import { type Catalog, loadCatalog } from './catalog.ts';
import { type Database, openDatabase } from './db.ts';
import type { Row } from './row.ts';
import { insertRows } from './rows.ts';
import { keyText, type LockStrength, lockRows, transition } from './transition.ts';

const clock = systemClock();
const cleanup = new AsyncDisposableStack();
let db: Database;
let other: Database;
let catalog: Catalog;
beforeAll(async () => {
  const { url } = cleanup.use(await cloneDatabase());
  db = cleanup.use(openDatabase({ url, connections_max: 2 }));
  other = cleanup.use(openDatabase({ url, connections_max: 1 }));
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

describe('a row that is locked', () => {
  const lockedWhile = async (strength: LockStrength): Promise<string> => {
    const now = clock.now();
    const at = instantText(now);
    const owner = { merchant_id: uuidv7(now), mode: 'sandbox', created_at: at, updated_at: at };
    const customer = { ...owner, id: uuidv7(now), email: 'ada@example.com' };
    await insertRows(db, catalog, 'customers', [customer]);
    const address = { ...owner, id: uuidv7(now), line_1: '1', city: 'x', state: 'NY', zip: '1' };
    return db.transaction(async (tx) => {
      await lockRows(tx, 'customers', [customer], strength);
      return other
        .transaction(async (beside) => {
          await beside.query(`set local lock_timeout = '50ms'`, []);
          const pointing = { ...address, country: 'USA', customer_id: customer.id };
          await insertRows(beside, catalog, 'consumer_addresses', [pointing]);
          return 'stored';
        })
        .catch(({ code }) => code);
    });
  };

  it('for a change lets others store rows that point to it', async () => {
    expect(await lockedWhile('change')).toBe('stored');
  });
  it('for its references keeps them waiting', async () => {
    expect(await lockedWhile('reference')).toBe('55P03');
  });
});

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
