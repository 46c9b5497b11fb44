import { ProblemError, problem } from '@florin/contract/errors.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { defaults } from '../../config/config.ts';
import { compileModels } from '../../jsonapi/model.ts';
import { type Catalog, loadCatalog } from '../../platform/database/catalog.ts';
import { type Database, openDatabase } from '../../platform/database/db.ts';
import { findKeyHolders, type IdempotencyKey } from '../../platform/database/idempotency.ts';
import type { Row } from '../../platform/database/row.ts';
import { insertRows } from '../../platform/database/rows.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText, systemClock } from '../../platform/time/clock.ts';
import { createUpdater, type UpdateItem } from './updater.ts';

const clock = systemClock();
const cleanup = new AsyncDisposableStack();
let db: Database;
let catalog: Catalog;
beforeAll(async () => {
  const { url } = cleanup.use(await cloneDatabase());
  db = cleanup.use(openDatabase({ url, connections_max: 6 }));
  catalog = await loadCatalog(db);
});
afterAll(() => cleanup.disposeAsync());

let merchant_id: string;
beforeEach(() => {
  merchant_id = uuidv7(clock.now());
});

async function customer(): Promise<string> {
  const id = uuidv7(clock.now());
  const at = instantText(clock.now());
  const row = { merchant_id, mode: 'sandbox', id, email: 'ada@example.com' };
  await insertRows(db, catalog, 'customers', [{ ...row, created_at: at, updated_at: at }]);
  return id;
}

const models = compileModels(resources);

/** Creates the updater of customers of one process. Each change emits an event. */
const updater = () =>
  createUpdater({ db, catalog, models, clock, config: defaults }, { table: 'customers' });

const keyOf = (key: string, id: string): IdempotencyKey => ({
  merchant_id,
  mode: 'sandbox',
  resource_type: 'customers',
  operation: 'update',
  key,
  request_hash: id,
  expires_at: null,
});

const naming = (name: string, id: string, key?: string): UpdateItem => ({
  scope: { merchant_id, mode: 'sandbox' },
  id,
  idempotency: key === undefined ? undefined : keyOf(key, id),
  decide: ({ description }) => ({
    set: { name, description: `${description ?? ''}+` },
    events: ['updated'],
  }),
});

/** Names of changed customers, or error codes of refused changes. */
const outcomesOf = (settled: PromiseSettledResult<Row>[]): unknown[] =>
  settled.map((result) =>
    result.status === 'fulfilled'
      ? result.value.name
      : (result.reason as ProblemError).problems[0]?.code,
  );

const changesOf = async (id: string): Promise<{ times: number; events: number }> => {
  const [row] = await db.query(
    `select length(description) as times,
       (select count(*) from events e where e.resource_id = c.id) as events
     from customers c where id = $1`,
    [id],
  );
  return { times: Number(row?.times), events: Number(row?.events) };
};

it('two processes with the same change and key change the record once', async () => {
  const processes = [updater(), updater()];
  const id = await customer();
  const concurrentUpdates = [1, 2, 3, 4, 5, 6].map((at) =>
    processes[at % 2]?.(naming('Ada', id, 'once')),
  );
  const outcomes = outcomesOf(await Promise.allSettled(concurrentUpdates as Promise<Row>[]));
  expect(outcomes.toSorted()).toEqual(['Ada', ...Array(5).fill('unavailable')]);
  expect(await changesOf(id)).toEqual({ times: 1, events: 1 });
});

it('two records of one batch whose changes share a key: one is changed', async () => {
  const update = updater();
  const ids = [await customer(), await customer(), await customer()] as const;
  const [first_id, second_id, third_id] = ids;
  const outcomes = await Promise.allSettled([
    update(naming('Ada', first_id, 'same')),
    update(naming('Ada', second_id, 'same')),
    update(naming('Ada', third_id)),
  ]);
  expect(outcomesOf(outcomes)).toEqual(['Ada', 'unavailable', 'Ada']);
  const [holder] = await findKeyHolders(db, [keyOf('same', first_id)]);
  expect(holder).toEqual({ resource_id: first_id, request_hash: first_id });
});

it('a refused change leaves its key to another one in the batch', async () => {
  const update = updater();
  const [first_id, second_id] = [await customer(), await customer()];
  const refusedItem: UpdateItem = {
    ...naming('Ada', first_id, 'free'),
    decide() {
      throw problem('immutable', 'It stays.');
    },
  };
  const outcomes = await Promise.allSettled([
    update(refusedItem),
    update(naming('Ada', second_id, 'free')),
  ]);
  expect(outcomesOf(outcomes)).toEqual(['immutable', 'Ada']);
});

it('a change whose transaction fails does not use its key', async () => {
  const id = await customer();
  const update = updater();
  const failingItem = {
    ...naming('Ada', id, 'later'),
    decide: () => ({ set: { email: null }, events: [] }),
  };
  await expect(update(failingItem)).rejects.not.toBeInstanceOf(ProblemError);
  expect(await findKeyHolders(db, [keyOf('later', id)])).toEqual([undefined]);
  expect((await update(naming('Ada', id, 'later'))).name).toBe('Ada');
});
