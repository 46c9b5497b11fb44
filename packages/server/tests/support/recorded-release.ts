import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MigrateAction } from '@florin/contract/migrations/command.ts';
import type { History } from '@florin/contract/migrations/plan.ts';
import type { ClonedDatabase } from '@florin/dev-env/databases.ts';
import { openDatabase } from '@florin/vault/store/db.ts';
import {
  commandMigration as commandVault,
  migrate as migrateVault,
  readVaultHistory,
} from '@florin/vault/store/migrate.ts';
import pg from 'pg';
import {
  commandMigration,
  migrate,
  readServerHistory,
} from '../../src/platform/database/migrate.ts';

const UPGRADES = join(import.meta.dirname, '..', 'upgrades');

/** An installation of an earlier release. `npm run rehearse -- record-release` records one. */
export interface RecordedRelease {
  /** Commit or archive of the release, and its newest migrations. */
  readonly release: string;
  readonly server: string;
  readonly vault: string;
  /** Keys of the installation, and the ledger of its card network. */
  readonly files: string;
  readonly rows: string;
}

export const recordedReleases: readonly RecordedRelease[] = readdirSync(UPGRADES)
  .sort()
  .map((name) => {
    const path = join(UPGRADES, name);
    const release = JSON.parse(readFileSync(join(path, 'release.json'), 'utf8')) as RecordedRelease;
    return { ...release, files: join(path, 'data'), rows: join(path, 'rows.jsonl') };
  });

/** Gives an empty database the schema of a release, and the rows of its installation. */
export async function restoreRelease(
  database: ClonedDatabase,
  { server, vault, rows }: RecordedRelease,
): Promise<void> {
  await using client = await connect(database.adminUrl);
  await client.query(`drop schema public cascade; drop schema vault cascade;
    create schema public authorization florin_owner; create schema vault authorization florin_owner`);
  await migrate(database.url, { history: through(server, await readServerHistory()) });
  await using vaultDatabase = await openDatabase(database.url, () => {});
  const vaultHistory = through(vault, await readVaultHistory());
  await migrateVault(vaultDatabase, () => {}, { history: vaultHistory });
  // Releases from before phases stored none. Others may lose theirs: this release knows their migrations.
  await client.query('alter table kysely_migration drop column phase');
  await client.query('alter table vault.migrations drop column phase');
  await insertRows(client, readFileSync(rows, 'utf8').trimEnd().split('\n'));
}

const through = (newest: string, history: History): History => ({
  ...history,
  files: history.files.filter(({ name }) => name <= newest),
});

interface Client extends AsyncDisposable {
  query: pg.Client['query'];
}

async function connect(connectionString: string): Promise<Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const query = client.query.bind(client) as pg.Client['query'];
  return { query, [Symbol.asyncDispose]: () => client.end() };
}

/** Inserts rows without triggers and foreign keys, in place of those that migrations inserted. */
async function insertRows(client: Client, lines: readonly string[]): Promise<void> {
  const tables = Map.groupBy(lines, (line) => (JSON.parse(line) as { table: string }).table);
  await client.query('set session_replication_role = replica');
  for (const [table, tableLines] of tables) {
    const columns = await columnsOf(client, table);
    await client.query(`delete from ${table}`);
    await client.query(
      `insert into ${table} (${columns}) overriding system value
       select ${columns} from unnest($1::jsonb[]) line, jsonb_populate_record(null::${table}, line -> 'row')`,
      [tableLines],
    );
  }
  await client.query(SEQUENCES);
}

async function columnsOf(client: Client, table: string): Promise<string> {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return rows[0]?.columns ?? '';
}

/** Lets identity columns continue after the highest number. */
const SEQUENCES = `
  do $$ declare found record; begin
    for found in select a.attrelid::regclass as name, a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
      where a.attidentity <> '' and c.relnamespace in ('public'::regnamespace, 'vault'::regnamespace)
    loop
      execute format('select setval(pg_get_serial_sequence(%L, %L), coalesce(max(%I), 0) + 1, false) from %s',
        found.name, found.attname, found.attname, found.name);
    end loop;
  end $$`;

/** Runs an action of `florin migrate` for both programs. Returns what it printed. */
export async function migrateRelease(url: string, action: MigrateAction): Promise<string[]> {
  const lines: string[] = [];
  const command = { action, print: (line: string) => void lines.push(line) };
  await commandMigration(url, { grant_to: 'florin_server' }, command);
  await using vaultDatabase = await openDatabase(url, () => {});
  await commandVault(vaultDatabase, { grant_to: 'florin_vault' }, command);
  return lines;
}
