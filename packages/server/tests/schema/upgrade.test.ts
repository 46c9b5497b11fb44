import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloneDatabase } from '@florin/dev-env/databases.ts';
import pg from 'pg';
import { expect, it } from 'vitest';

const MIGRATIONS = join(import.meta.dirname, '..', '..', 'src', 'store', 'migrations');
const files = readdirSync(MIGRATIONS)
  .filter((name) => name.endsWith('.sql'))
  .sort();
/** The last one of before subscriptions were renewed. */
const BEFORE = '0017-resolved-exceptions.sql';
const MERCHANT = '01935f00-0000-7000-8000-00000000b0b0';

const apply = async (client: pg.Client, names: readonly string[]): Promise<void> => {
  for (const name of names) await client.query(readFileSync(join(MIGRATIONS, name), 'utf8'));
};

it('a database with events is brought to the present', async () => {
  await using database = await cloneDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query('create schema earlier; set search_path = earlier');
    await apply(
      client,
      files.filter((name) => name <= BEFORE),
    );
    await client.query(
      `insert into merchants (id, created_at, updated_at) values ($1, now(), now())`,
      [MERCHANT],
    );
    await client.query(
      `insert into events (merchant_id, mode, id, resource_type, resource_id, sequence, slug, data, created_at)
       values ($1, 'sandbox', $1, 'consumer.customers', $1, 1, 'created', '{}', '2026-01-01Z')`,
      [MERCHANT],
    );
    await apply(
      client,
      files.filter((name) => name > BEFORE),
    );
    const { rows } = await client.query(
      'select e.recorded_at = e.created_at as kept, m.missed_periods from events e, merchants m',
    );
    expect(rows).toEqual([{ kept: true, missed_periods: 'latest' }]);
  } finally {
    await client.end();
  }
});
