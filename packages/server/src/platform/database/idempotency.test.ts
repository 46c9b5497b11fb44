import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { uuidv7 } from '../ids.ts';
import { instantText, seconds, systemClock } from '../time/clock.ts';
import { type Catalog, loadCatalog } from './catalog.ts';
import { type Database, openDatabase } from './db.ts';
import { findKeyHolders, type IdempotencyKey, keyRow, pruneKeys, takeKeys } from './idempotency.ts';

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

const merchant_id = uuidv7(clock.now());
const now = clock.now();

const keyOf = (key: string, expires_at: string | null = null): IdempotencyKey => ({
  merchant_id,
  mode: 'sandbox',
  resource_type: 'customers',
  operation: 'update',
  key,
  request_hash: 'a',
  expires_at,
});

const takeFreeKeys = (...keys: IdempotencyKey[]): Promise<ReadonlySet<string>> =>
  takeKeys(
    db,
    catalog,
    keys.map((key) => keyRow(key, uuidv7(clock.now()), instantText(now))),
  );

it.each<[string, Partial<IdempotencyKey>]>([
  ['merchant', { merchant_id: uuidv7(clock.now()) }],
  ['mode', { mode: 'live' }],
  ['type', { resource_type: 'payment_demands' }],
  ['operation', { operation: 'create' }],
])('a key of one %s does not occupy that of another', async (_what, otherFields) => {
  const key = keyOf(`of one ${_what}`);
  expect((await takeFreeKeys(key)).size).toBe(1);
  expect((await takeFreeKeys({ ...key, ...otherFields })).size).toBe(1);
  expect((await takeFreeKeys(key)).size).toBe(0);
});

it('expired keys are pruned, the oldest first and at most the limit', async () => {
  const timeAgo = (count_s: number) => instantText(now - seconds(count_s));
  const keys = [
    keyOf('expired', timeAgo(10)),
    keyOf('long expired', timeAgo(20)),
    keyOf('at this moment', instantText(now)),
    keyOf('not yet', timeAgo(-10)),
    keyOf('never'),
  ];
  await takeFreeKeys(...keys);
  const storedKeys = async () => {
    const holders = await findKeyHolders(db, keys);
    return keys.filter((_key, at) => holders[at]).map(({ key }) => key);
  };
  expect(await pruneKeys(db, instantText(now), 1)).toBe(1);
  expect(await storedKeys()).toEqual(['expired', 'at this moment', 'not yet', 'never']);
  expect(await pruneKeys(db, instantText(now), 10)).toBe(2);
  expect(await storedKeys()).toEqual(['not yet', 'never']);
});

it('expired keys of a stopped merchant wait, and hold up no others', async () => {
  const stopped = { ...keyOf('stopped', instantText(now - seconds(30))), merchant_id: uuidv7(now) };
  const served = keyOf('served', instantText(now - seconds(10)));
  await takeFreeKeys(stopped, served);
  const isStored = async () => (await findKeyHolders(db, [stopped, served])).map(Boolean);
  await db.query(`insert into stopped_merchants values ($1, $1, 'fenced', 'away', now())`, [
    stopped.merchant_id,
  ]);
  expect(await pruneKeys(db, instantText(now), 1)).toBe(1);
  expect(await isStored()).toEqual([true, false]);
  await db.query('delete from stopped_merchants', []);
  expect(await pruneKeys(db, instantText(now), 1)).toBe(1);
  expect(await isStored()).toEqual([false, false]);
});
