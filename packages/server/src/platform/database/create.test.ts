import { cloneDatabase } from '@florin/dev-env/databases.ts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidv7 } from '../ids.ts';
import { instantText, systemClock } from '../time/clock.ts';
import { type Catalog, loadCatalog } from './catalog.ts';
import { createRecords, insertRecords, type NewRecord } from './create.ts';
import { type Database, type Db, openDatabase } from './db.ts';
import { findKeyHolders, type IdempotencyKey } from './idempotency.ts';

const clock = systemClock();
const cleanup = new AsyncDisposableStack();
let db: Database;
let catalog: Catalog;
let otherClient: pg.Client;
let url: string;
let merchant_id: string;
beforeAll(async () => {
  url = cleanup.use(await cloneDatabase()).url;
  db = cleanup.use(openDatabase({ url, connections_max: 4 }));
  catalog = await loadCatalog(db);
  otherClient = new pg.Client({ connectionString: url });
  await otherClient.connect();
  cleanup.defer(() => otherClient.end());
});
afterAll(() => cleanup.disposeAsync());
beforeEach(() => {
  merchant_id = uuidv7(clock.now());
});

type Asked = Pick<IdempotencyKey, 'key' | 'request_hash'>;

const keyOf = (keyFields: Asked): IdempotencyKey => ({
  ...keyFields,
  merchant_id,
  mode: 'sandbox',
  resource_type: 'customers',
  operation: 'create',
  expires_at: null,
});

function customerRecord(keyFields?: Asked): NewRecord {
  const now = clock.now();
  const at = instantText(now);
  const owner = { merchant_id, mode: 'sandbox', id: uuidv7(now) };
  const resource = { resource_type: 'identity.customers', resource_id: owner.id };
  return {
    row: { ...owner, email: 'ada@example.com', created_at: at, updated_at: at },
    events: [
      { ...owner, id: uuidv7(now), ...resource, slug: 'created', data: '{}', created_at: at },
    ],
    idempotency: keyFields && keyOf(keyFields),
  };
}

type CreateDb = Parameters<typeof createRecords>[0];

const create = (records: readonly NewRecord[], createDb: CreateDb = db) =>
  createRecords(createDb, catalog, 'customers', records);

const countRows = async (table: string): Promise<number> => {
  const [row] = await db.query(`select count(*) from ${table} where merchant_id = $1`, [
    merchant_id,
  ]);
  return Number(row?.count);
};

const LATE_COMMIT_MS = 300;

/** Drops the connection of the first statement; the backend continues and later runs `end`. */
function createLosingDb(
  end: 'commit' | 'rollback',
): CreateDb & { readonly ended: Promise<unknown>[] } {
  const endings: Promise<unknown>[] = [];
  const losing: Db = {
    async query(sql, values) {
      await otherClient.query('begin');
      await otherClient.query(sql, [...values]);
      endings.push(
        new Promise((done) => setTimeout(done, LATE_COMMIT_MS)).then(() => otherClient.query(end)),
      );
      throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
    },
  };
  return {
    ended: endings,
    query: db.query,
    transaction: (work) => (endings.length > 0 ? db.transaction(work) : work(losing)),
  };
}

const keyFields = { key: 'order-1', request_hash: 'a' };

describe('a create whose connection breaks while its statement continues', () => {
  it.each([
    ['commit', 'plain', undefined],
    ['rollback', 'plain', undefined],
    ['commit', 'keyed', keyFields],
    ['rollback', 'keyed', keyFields],
  ] as const)(
    'is stored once, with one event, if that statement %s (%s)',
    async (end, _kind, given) => {
      const losingDb = createLosingDb(end);
      const outcomes = await create([customerRecord(), customerRecord(given)], losingDb);
      await Promise.all(losingDb.ended);
      const outcome = end === 'commit' ? 'present' : 'created';
      expect(outcomes).toEqual([{ outcome }, { outcome }]);
      expect([await countRows('customers'), await countRows('events')]).toEqual([2, 2]);
    },
  );
});

describe('a lookup that fails after the commit', () => {
  it('fails only its own record, and stores nothing twice', async () => {
    const firstRecord = customerRecord(keyFields);
    await create([firstRecord]);
    const failingDb: CreateDb = {
      transaction: db.transaction,
      query: (sql, values, name) =>
        sql.startsWith('select')
          ? Promise.reject(new Error('look-up failed'))
          : db.query(sql, values, name),
    };
    const outcomes = await create([customerRecord(), customerRecord(keyFields)], failingDb);
    expect(outcomes).toEqual([{ outcome: 'created' }, { outcome: 'taken' }]);
    expect(await countRows('customers')).toBe(2);
    expect(await findKeyHolders(db, [keyOf(keyFields)])).toEqual([
      { request_hash: 'a', resource_id: firstRecord.row.id },
    ]);
  });
});

it('creates reuse the plan of their statement', async () => {
  await using oneConnection = openDatabase({ url, connections_max: 1 });
  for (let time = 0; time < 3; time++) await create([customerRecord()], oneConnection);
  const plans = await oneConnection.query(
    'select generic_plans, custom_plans from pg_prepared_statements where name = $1',
    ['create_plain_customers'],
  );
  expect(plans).toEqual([{ generic_plans: '3', custom_plans: '0' }]);
});

it('a record whose key is taken is skipped, whatever its content', async () => {
  await create([customerRecord(keyFields)]);
  const otherRecords = [
    customerRecord(keyFields),
    customerRecord(),
    customerRecord({ ...keyFields, request_hash: 'b' }),
  ];
  expect((await create(otherRecords)).map(({ outcome }) => outcome)).toEqual([
    'taken',
    'created',
    'taken',
  ]);
  expect(await countRows('customers')).toBe(2);
});

describe('records of a transaction', () => {
  /** Stores a customer for each new record, if the record is stored. */
  const companionOf = (records: readonly NewRecord[]) => ({
    name: 'test',
    sqlOf: (rows: string) => `insert into merchants (id, created_at, updated_at)
      select id, now(), now() from json_to_recordset(${rows}::json) as m (id uuid)
      where id in (select id from stored)`,
    rows: JSON.stringify(records.map(({ row }) => ({ id: row.id }))),
  });

  it('have companions, except those whose key is taken', async () => {
    await create([customerRecord(keyFields)]);
    const records = [customerRecord(keyFields), customerRecord(), customerRecord()];
    const outcomes = await db.transaction((tx) =>
      insertRecords(tx, catalog, 'customers', records, companionOf(records)),
    );
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['taken', 'created', 'created']);
    const ids = records.map(({ row }) => row.id);
    const stored = await db.query('select id from merchants where id = any ($1)', [ids]);
    expect(stored.map(({ id }) => id).toSorted()).toEqual(ids.slice(1).toSorted());
  });

  it.each([undefined, keyFields])(
    'have companions once, if a batch is repeated (key %j)',
    async (key) => {
      const record = customerRecord(key);
      await create([record]);
      const outcomes = await db.transaction((tx) =>
        insertRecords(tx, catalog, 'customers', [record], companionOf([record])),
      );
      expect(outcomes).toEqual([{ outcome: 'present' }]);
      expect(await db.query('select id from merchants where id = $1', [record.row.id])).toEqual([]);
    },
  );

  it('are not stored if the lookup of a taken key fails, and the caller learns it', async () => {
    await create([customerRecord(keyFields)]);
    const storing = db.transaction((tx) => {
      const failingTx: Db = {
        query: (sql, values, name) =>
          sql.startsWith('select') ? tx.query('select 1 / 0', []) : tx.query(sql, values, name),
      };
      const records = [customerRecord(keyFields), customerRecord()];
      return insertRecords(failingTx, catalog, 'customers', records);
    });
    await expect(storing).rejects.toThrow('division by zero');
    expect(await countRows('customers')).toBe(1);
  });
});
