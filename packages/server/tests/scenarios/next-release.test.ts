import type { MigrationFile } from '@florin/contract/migrations/plan.ts';
import pg from 'pg';
import { expect, it } from 'vitest';
import { NEXT_MIGRATIONS } from '../../../../rehearsals/upgrade/next-release.ts';
import { migrate, readServerHistory } from '../../src/platform/database/migrate.ts';
import { useOwnStack } from '../support/api.ts';
import { makeCapturedPayment } from '../support/make.ts';

const api = useOwnStack();

/** Applies migrations after those of this release, as the next one does. */
async function applyNext(further: readonly MigrationFile[]): Promise<void> {
  const history = await readServerHistory();
  await migrate(api.stack.databaseUrl, {
    history: { ...history, files: [...history.files, ...further] },
    grant_to: 'florin_server',
    batch_rows: 2,
  });
}

const pay = async () => (await makeCapturedPayment(api.client)).attributes.status;
const payOften = async (count: number) => Promise.all(Array.from({ length: count }, pay));

it('this release takes payments while the next one migrates, and starts again afterwards', async () => {
  await payOften(6);
  const [statuses] = await Promise.all([payOften(8), applyNext(NEXT_MIGRATIONS)]);
  expect(statuses).toEqual(Array(8).fill('succeeded'));
  await api.stack.restart('server');
  expect(await pay()).toBe('succeeded');
});

it('the online migrations filled every payment from before, and built their index', async () => {
  const client = new pg.Client({ connectionString: api.stack.databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    `select (select count(*) from payment_demands where order_day is not null)::int >= 6 as is_filled,
       (select indisvalid from pg_index where indexrelid = 'payment_demands_order_days'::regclass) as is_valid`,
  );
  await client.end();
  expect(rows).toEqual([{ is_filled: true, is_valid: true }]);
});

it('this release refuses to start after a migration that contracts, and names it', async () => {
  const contracting: MigrationFile = {
    name: '9999-z-contract',
    sql: '-- florin: contract\nalter table payment_demands drop column order_day;',
    checksum: 'z',
    phase: 'contract',
  };
  await applyNext([...NEXT_MIGRATIONS, contracting]);
  await api.stack.stop('server');
  await expect(api.stack.start('server')).rejects.toThrow(
    /made by a newer Florin \(it has 9999-z-contract\)\. Run the release that migrated it/,
  );
});
