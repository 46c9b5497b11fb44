import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Catalog, loadCatalog } from '../../../platform/database/catalog.ts';
import { type Database, type Db, openDatabase } from '../../../platform/database/db.ts';
import { insertRows } from '../../../platform/database/rows.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { instantText, systemClock } from '../../../platform/time/clock.ts';
import { hashKey } from '../api-key.ts';
import { inBothModes } from '../both-modes.ts';
import { moveAccessEpoch } from './access-epoch.ts';
import { createCallers, REPEATED_LOOKUPS } from './callers.ts';

const clock = systemClock();
const cleanup = new AsyncDisposableStack();
let db: Database;
let catalog: Catalog;
const merchant_id = uuidv7(clock.now());
beforeAll(async () => {
  const { url } = cleanup.use(await cloneDatabase());
  db = cleanup.use(openDatabase({ url, connections_max: 4 }));
  catalog = await loadCatalog(db);
  const at = instantText(clock.now());
  const settings = {
    business_timezone: 'UTC',
    accepted_currencies: '["USD"]',
    late_approvals: 'capture',
    dunning_days: '14',
    dunning_final_action: 'pause',
    missed_periods: 'each',
    locale: 'en',
    customers_may: '[]',
    refused_mismatches: '[]',
    threeds_live: 'off',
    threeds_sandbox: 'off',
  };
  const merchant = inBothModes({ id: merchant_id, ...settings, created_at: at, updated_at: at });
  await insertRows(db, catalog, 'merchants', [merchant]);
});
afterAll(() => cleanup.disposeAsync());

let keysMade = 0;
const freshHash = (): string => hashKey(`key ${keysMade++}`);

async function storeKey(): Promise<string> {
  const hash = freshHash();
  const at = instantText(clock.now());
  const ids = { merchant_id, mode: 'sandbox', id: uuidv7(clock.now()) };
  const token = { ...ids, name: 'Till', context: 'secret', origins: '[]' };
  const row = { ...token, token_hash: `\\x${hash}`, created_at: at, updated_at: at };
  await insertRows(db, catalog, 'merchant_tokens', [row]);
  return hash;
}

/** Callers with a stopped clock, and a count of lookups in the database. */
function countingCallers(limits = { known_max: 3, unknown_max: 3 }) {
  const time = { ms: 0 };
  const queriedHashes: unknown[] = [];
  const countingDb: Db = {
    query(sql, values, name) {
      if (name !== 'access_epoch') queriedHashes.push(values[0]);
      return db.query(sql, values, name);
    },
  };
  return { ...createCallers(countingDb, () => time.ms, limits), time, asked: queriedHashes };
}

describe('the callers of keys', () => {
  it('are queried once in five seconds, for unknown keys too', async () => {
    const [storedKeyHash, unknownKeyHash] = [await storeKey(), freshHash()];
    const { find, time, asked } = countingCallers();
    for (time.ms = 0; time.ms < 5_000; time.ms += 1_000) {
      expect((await find(storedKeyHash))?.scope).toEqual({ merchant_id, mode: 'sandbox' });
      expect(await find(unknownKeyHash)).toBeUndefined();
    }
    expect(asked).toEqual([storedKeyHash, unknownKeyHash]);
    await Promise.all([find(storedKeyHash), find(unknownKeyHash)]);
    expect(asked).toEqual([storedKeyHash, unknownKeyHash, storedKeyHash, unknownKeyHash]);
  });

  it('share one query among concurrent requests', async () => {
    const hash = await storeKey();
    const { find, asked } = countingCallers();
    const foundCallers = await Promise.all([find(hash), find(hash), find(hash)]);
    expect(foundCallers.map((caller) => caller?.context)).toEqual(['secret', 'secret', 'secret']);
    expect(asked).toEqual([hash]);
  });

  it('stay cached however many unknown keys are tried', async () => {
    const hash = await storeKey();
    const { find, wasFound, asked } = countingCallers();
    await find(hash);
    for (let guesses = 0; guesses < 20; guesses++) await find(freshHash());
    const queryCount = asked.length;
    expect([wasFound(hash), (await find(hash))?.context, asked.length]).toEqual([
      true,
      'secret',
      queryCount,
    ]);
  });

  it('are evicted one by one when the cache is full', async () => {
    const hashes = await Promise.all(Array.from({ length: 4 }, storeKey));
    const { find, wasFound } = countingCallers();
    for (const hash of hashes) await find(hash);
    expect(hashes.map(wasFound)).toEqual([false, true, true, true]);
  });

  it('are not cached from a query that began before the key changed', async () => {
    const hash = await storeKey();
    const { find, evict, asked } = countingCallers();
    const earlyFind = find(hash);
    evict(hash);
    await earlyFind;
    await find(hash);
    expect(asked).toEqual([hash, hash]);
  });

  it('are queried again within half a second of a change of permissions', async () => {
    const hash = await storeKey();
    const { find, time } = countingCallers();
    const localCallers = createCallers(db, () => 0);
    expect((await find(hash))?.settings.merchant_status).toBe('active');
    await localCallers.find(hash);
    const at = instantText(clock.now());
    const id = uuidv7(clock.now());
    const owner = { merchant_id, mode: 'sandbox', id, created_at: at, updated_at: at };
    const measure = { ...owner, action: 'quarantine', status: 'in_force', reason: 'A complaint' };
    await db.transaction(async (tx) => {
      await insertRows(tx, catalog, 'merchant_punitive_actions', [measure]);
      await moveAccessEpoch(tx);
    });
    localCallers.clearCache();
    expect((await localCallers.find(hash))?.settings.merchant_status).toBe('quarantined');
    time.ms = 500;
    expect((await find(hash))?.settings.merchant_status).toBe('quarantined');
    await db.query('delete from merchant_punitive_actions where id = $1', [id]);
  });

  it('are queried again in small batches, however many keys are used', async () => {
    const hashes = await Promise.all(Array.from({ length: 3 * REPEATED_LOOKUPS.max }, storeKey));
    const under_way = { now: 0, most: 0 };
    const countingDb: Db = {
      async query(sql, values, name) {
        under_way.most = Math.max(under_way.most, ++under_way.now);
        return db.query(sql, values, name).finally(() => under_way.now--);
      },
    };
    const time = { ms: 0 };
    const { find } = createCallers(countingDb, () => time.ms);
    for (const hash of hashes) await find(hash);
    time.ms = 10_000;
    const foundCallers = await Promise.all(hashes.map((hash) => find(hash)));
    expect(foundCallers.every((caller) => caller !== undefined)).toBe(true);
    expect(under_way.most).toBe(REPEATED_LOOKUPS.max);
  });

  it('are queried again after a failed query', async () => {
    const hash = await storeKey();
    const fail = { now: true };
    const failing: Db = {
      query: (...query) => (fail.now ? Promise.reject(new Error('down')) : db.query(...query)),
    };
    const { find } = createCallers(failing, () => 0);
    await expect(find(hash)).rejects.toThrow('down');
    fail.now = false;
    expect((await find(hash))?.context).toBe('secret');
  });
});
