import { resources } from '@florin/contract/resources/index.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkNextSlice } from '../../src/features/settlement/missing.ts';
import { fileProgressOf, lockProgress, moveProgress } from '../../src/features/settlement/sql.ts';
import { compileModels } from '../../src/jsonapi/model.ts';
import { loadCatalog } from '../../src/platform/database/catalog.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { instantText, systemClock } from '../../src/platform/time/clock.ts';
import { createSignal } from '../../src/platform/workers/signal.ts';
import type { Services } from '../../src/services.ts';
import { useDatabase } from '../support/database.ts';

const MERCHANT = '01935f00-0000-7000-8000-00000000b0b0';
const DAY = '2026-03-01';
const TRANSFERS = 3_000;
const MATCHED_MAX = 500;
const source = { processor: 'simulator', mode: 'sandbox' } as const;
const clock = systemClock();
const database = useDatabase();
let db: Database;

beforeAll(async () => {
  db = openDatabase({ url: database.url, connections_max: 2 });
  await db.query('insert into merchants (id, created_at, updated_at) values ($1, $2, $2)', [
    MERCHANT,
    instantText(clock.now()),
  ]);
  // Half of the day is in one minute. Every hundredth transfer is not settled.
  await db.query(
    `with captured as (
       insert into ledger_transfers (merchant_id, mode, id, kind, debit_account, credit_account, amount_cents,
         amount_currency, source_id, created_at)
       select $1, 'sandbox', gen_random_uuid(), 'captured', 'processor', 'merchant', n, 'USD', gen_random_uuid(),
         $2::timestamptz + case when n % 2 = 0 then n * interval '10 ms' else n * interval '25 seconds' end
       from generate_series(1, $3::bigint) n returning *)
     insert into ledger_transfers (merchant_id, mode, id, kind, debit_account, credit_account, amount_cents,
       amount_currency, source_id, created_at)
     select merchant_id, mode, gen_random_uuid(), 'settled', 'bank', 'processor', amount_cents, amount_currency,
       source_id, created_at + interval '1 day' from captured where amount_cents % 100 <> 0`,
    [MERCHANT, `${DAY}T00:00:00Z`, TRANSFERS],
  );
});
afterAll(() => db[Symbol.asyncDispose]());

const readProgress = (): Promise<Row> =>
  fileProgressOf(db, source, { today: DAY, now: instantText(clock.now()) });

const listMissedAmounts = async (): Promise<number[]> => {
  const rows = await db.query('select expected_cents from settlement_exceptions', []);
  return rows.map(({ expected_cents }) => Number(expected_cents)).toSorted((a, b) => a - b);
};

async function createServices(): Promise<Parameters<typeof checkNextSlice>[0]> {
  const wake = { deliver: createSignal() } as Services['wake'];
  const logger = createLogger('silent');
  const models = compileModels(resources);
  return { catalog: await loadCatalog(db), models, logger, system_clock: clock, wake };
}

it('a day is compared in slices, which continue after a crash', async () => {
  const services = await createServices();
  const positions: unknown[] = [];
  const settleSlice = (shouldFail: boolean): Promise<boolean> =>
    db.transaction(async (tx) => {
      const progress = await readProgress();
      expect(await lockProgress(tx, progress)).toBe(true);
      const hasMore = await checkNextSlice(services, tx, progress, clock.now(), MATCHED_MAX);
      if (shouldFail) throw new Error('the process ends');
      return hasMore;
    });
  for (let steps = 0; ; steps += 1) {
    if (steps === 3) await expect(settleSlice(true)).rejects.toThrow('the process ends');
    if (!(await settleSlice(false))) break;
    positions.push((await readProgress()).missed_until);
  }
  expect(positions.length).toBeGreaterThanOrEqual(TRANSFERS / MATCHED_MAX);
  expect(positions).toEqual([...new Set(positions)].toSorted());
  expect(await listMissedAmounts()).toEqual(Array.from({ length: 30 }, (_, at) => (at + 1) * 100));
});

it('a process with an outdated view of a day does not get its lock', async () => {
  const [outdatedProgress, currentProgress] = [
    { ...(await readProgress()), missed_until: null },
    await readProgress(),
  ];
  const lockRow = (progress: Row) => db.transaction((tx) => lockProgress(tx, progress));
  expect([await lockRow(outdatedProgress), await lockRow(currentProgress)]).toEqual([false, true]);
});

it('the next day begins with its first slice', async () => {
  const progress = await readProgress();
  await moveProgress(db, progress, { day: '2026-03-02', part: null, due_at: `${DAY}T00:00:00Z` });
  expect((await readProgress()).missed_until).toBeNull();
});
