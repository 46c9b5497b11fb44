import { cloneDatabase } from '@florin/dev-env/databases.ts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { instantText, systemClock } from '../kernel/clock.ts';
import { uuidv7 } from '../kernel/ids.ts';
import { type Catalog, loadCatalog } from './catalog.ts';
import { createRecords, type NewRecord } from './create.ts';
import { type Database, type Db, openDatabase } from './db.ts';

const clock = systemClock();
const cleanup = new AsyncDisposableStack();
let db: Database;
let catalog: Catalog;
let other: pg.Client;
let merchant_id: string;
beforeAll(async () => {
  const { url } = cleanup.use(await cloneDatabase());
  db = cleanup.use(openDatabase({ url, connections_max: 4 }));
  catalog = await loadCatalog(db);
  other = new pg.Client({ connectionString: url });
  await other.connect();
  cleanup.defer(() => other.end());
});
afterAll(() => cleanup.disposeAsync());
beforeEach(() => {
  merchant_id = uuidv7(clock.now());
});

function customer(idempotency?: NewRecord['idempotency']): NewRecord {
  const now = clock.now();
  const at = instantText(now);
  const owner = { merchant_id, mode: 'sandbox', id: uuidv7(now) };
  const resource = { resource_type: 'identity.customers', resource_id: owner.id };
  return {
    row: { ...owner, email: 'ada@example.com', created_at: at, updated_at: at },
    events: [
      { ...owner, id: uuidv7(now), ...resource, slug: 'created', data: '{}', created_at: at },
    ],
    ...(idempotency && { idempotency }),
  };
}

const create = (records: readonly NewRecord[], through: Db = db) =>
  createRecords(through, catalog, 'customers', records);

const countOf = async (table: string): Promise<number> => {
  const [row] = await db.query(`select count(*) from ${table} where merchant_id = $1`, [
    merchant_id,
  ]);
  return Number(row?.count);
};

const WHILE_MS = 300;

/** Loses the connection of the first statement, whose backend runs on and ends with `end` a while later. */
function losing(end: 'commit' | 'rollback'): Db & { readonly ended: Promise<unknown>[] } {
  const ended: Promise<unknown>[] = [];
  return {
    ended,
    async query(sql, values, name) {
      if (ended.length > 0) return db.query(sql, values, name);
      await other.query('begin');
      await other.query(sql, [...values]);
      ended.push(new Promise((done) => setTimeout(done, WHILE_MS)).then(() => other.query(end)));
      throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
    },
  };
}

const key = { key: 'order-1', request_hash: 'a' };

describe('a create whose connection breaks while its backend runs on', () => {
  it.each([
    ['commit', 'plain', undefined],
    ['rollback', 'plain', undefined],
    ['commit', 'keyed', key],
    ['rollback', 'keyed', key],
  ] as const)(
    'is stored once, with one event, should that one %s (%s)',
    async (end, _kind, idempotency) => {
      const through = losing(end);
      const outcomes = await create([customer(), customer(idempotency)], through);
      await Promise.all(through.ended);
      expect(outcomes).toEqual([{ outcome: 'created' }, { outcome: 'created' }]);
      expect([await countOf('customers'), await countOf('events')]).toEqual([2, 2]);
    },
  );
});

describe('a look-up that fails after the commit', () => {
  it('fails only the record that it was for, and stores nothing twice', async () => {
    const first = customer(key);
    await create([first]);
    const through: Db = {
      query: (sql, values, name) =>
        sql.startsWith('select')
          ? Promise.reject(new Error('look-up failed'))
          : db.query(sql, values, name),
    };
    const outcomes = await create([customer(), customer(key)], through);
    expect(outcomes).toEqual([{ outcome: 'created' }, { outcome: 'unread' }]);
    expect(await countOf('customers')).toBe(2);
    expect(await create([customer(key)])).toEqual([{ outcome: 'replayed', id: first.row.id }]);
  });
});

it('a key that asked for something else is a conflict', async () => {
  await create([customer(key)]);
  expect(await create([customer({ ...key, request_hash: 'b' })])).toEqual([
    { outcome: 'conflict' },
  ]);
});
