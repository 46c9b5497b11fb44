import { cloneDatabase } from '@florin/dev-env/databases.ts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidv7 } from '../ids.ts';
import { instantText, systemClock } from '../time/clock.ts';
import { type Catalog, loadCatalog } from './catalog.ts';
import { createRecords, type NewRecord } from './create.ts';
import { type Database, type Db, openDatabase } from './db.ts';
import { findKeyHolders, type IdempotencyKey } from './idempotency.ts';

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

type Asked = Pick<IdempotencyKey, 'key' | 'request_hash'>;

const keyOf = (asked: Asked): IdempotencyKey => ({
  ...asked,
  merchant_id,
  mode: 'sandbox',
  resource_type: 'customers',
  operation: 'create',
  expires_at: null,
});

function customer(asked?: Asked): NewRecord {
  const now = clock.now();
  const at = instantText(now);
  const owner = { merchant_id, mode: 'sandbox', id: uuidv7(now) };
  const resource = { resource_type: 'identity.customers', resource_id: owner.id };
  return {
    row: { ...owner, email: 'ada@example.com', created_at: at, updated_at: at },
    events: [
      { ...owner, id: uuidv7(now), ...resource, slug: 'created', data: '{}', created_at: at },
    ],
    idempotency: asked && keyOf(asked),
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

/** Drops the connection of the first statement; the backend continues and later runs `end`. */
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

const asked = { key: 'order-1', request_hash: 'a' };

describe('a create whose connection breaks while its statement continues', () => {
  it.each([
    ['commit', 'plain', undefined],
    ['rollback', 'plain', undefined],
    ['commit', 'keyed', asked],
    ['rollback', 'keyed', asked],
  ] as const)(
    'is stored once, with one event, if that statement %s (%s)',
    async (end, _kind, given) => {
      const through = losing(end);
      const outcomes = await create([customer(), customer(given)], through);
      await Promise.all(through.ended);
      expect(outcomes).toEqual([{ outcome: 'created' }, { outcome: 'created' }]);
      expect([await countOf('customers'), await countOf('events')]).toEqual([2, 2]);
    },
  );
});

describe('a lookup that fails after the commit', () => {
  it('fails only its own record, and stores nothing twice', async () => {
    const first = customer(asked);
    await create([first]);
    const through: Db = {
      query: (sql, values, name) =>
        sql.startsWith('select')
          ? Promise.reject(new Error('look-up failed'))
          : db.query(sql, values, name),
    };
    const outcomes = await create([customer(), customer(asked)], through);
    expect(outcomes).toEqual([{ outcome: 'created' }, { outcome: 'taken' }]);
    expect(await countOf('customers')).toBe(2);
    expect(await findKeyHolders(db, [keyOf(asked)])).toEqual([
      { request_hash: 'a', resource_id: first.row.id },
    ]);
  });
});

it('a record whose key is taken is skipped, whatever its content', async () => {
  await create([customer(asked)]);
  const others = [customer(asked), customer(), customer({ ...asked, request_hash: 'b' })];
  expect((await create(others)).map(({ outcome }) => outcome)).toEqual([
    'taken',
    'created',
    'taken',
  ]);
  expect(await countOf('customers')).toBe(2);
});
