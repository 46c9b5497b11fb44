import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, type Db, openDatabase } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { systemClock } from '../../platform/time/clock.ts';
import { linesToCompare } from './sql.ts';

const DAY = '2026-03-01';
const LINES_MAX = 10;
/** Enough for a plan by indexes. Rows are those of an installation with one large merchant. */
const ATTEMPTS = 20_000;
const now = systemClock().now();
const merchant = uuidv7(now);
const [authorisation, capture, refund] = [uuidv7(now), uuidv7(now), uuidv7(now)];
const cleanup = new AsyncDisposableStack();
let db: Database;

beforeAll(async () => {
  const { adminUrl } = cleanup.use(await cloneDatabase());
  db = cleanup.use(openDatabase({ url: adminUrl, connections_max: 1 }));
  // These attempts need neither payments nor a merchant.
  await db.query('set session_replication_role = replica', []);
  await db.query(
    `insert into attempts (merchant_id, mode, id, payment_demand_id, authorisation_id, capture_demand_id,
       refund_demand_id, processor, operation, status, amount_cents, amount_currency, inquiries, created_at, updated_at)
     select $1, 'sandbox', id, gen_random_uuid(), case when operation <> 'authorise' then $2::uuid end, capture,
       refund, 'simulator', operation, status, 100, 'USD', 0, now(), now()
     from (select gen_random_uuid() as id, null::uuid as capture, null::uuid as refund, 'authorise' as operation,
         case when n % 2 = 0 then 'unknown' else 'approved' end as status from generate_series(1, ${ATTEMPTS}) n
       union all values ($2::uuid, null::uuid, null::uuid, 'authorise', 'approved'),
         (gen_random_uuid(), $3::uuid, null, 'capture', 'unknown'),
         (gen_random_uuid(), null, $4::uuid, 'refund', 'sending')) made`,
    [merchant, authorisation, capture, refund],
  );
  await db.query(
    `insert into settlement_entries (processor, mode, day, line, entry, reference, authorisation, amount_cents, amount_currency)
     select 'simulator', 'sandbox', $1, line, entry, reference, $2, 100, 'USD'
     from unnest($3::text[], $4::text[]) with ordinality as e (entry, reference, line)`,
    [
      DAY,
      authorisation,
      ['capture', 'refund', 'refund', 'capture'],
      [capture, refund, uuidv7(now), 'not an id'],
    ],
  );
  await db.query('analyze attempts, settlement_entries', []);
});
afterAll(() => cleanup.disposeAsync());

const file: Row = { processor: 'simulator', mode: 'sandbox', day: DAY };

it('a line of a capture or refund in flight is open, and a line of an unknown one is not', async () => {
  const lines = await linesToCompare(db, file, LINES_MAX);
  expect(lines.map(({ is_open }) => is_open)).toEqual(['t', 't', 'f', 'f']);
});

it('attempts of a line are looked up by their merchant', async () => {
  const plan: string[] = [];
  const explainingDb: Db = {
    async query(sql, values) {
      const rows = await db.query(`explain ${sql}`, values);
      plan.push(...rows.map((row) => row['QUERY PLAN'] ?? ''));
      return [];
    },
  };
  await linesToCompare(explainingDb, file, LINES_MAX);
  // The authorisation of a line leads to its merchant, by an index of ids.
  const scans = plan.flatMap((line, at) =>
    /Scan.* on attempts/.test(line) && !line.includes('attempts_reference')
      ? [`${line.trim()} ${plan[at + 1]?.trim()}`]
      : [],
  );
  expect(scans.length).toBeGreaterThan(2);
  expect(scans.filter((scan) => !scan.includes('merchant_id = a.merchant_id'))).toEqual([]);
});
