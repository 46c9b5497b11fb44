import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '@florin/server/platform/database/db.ts';
import { expect, it } from 'vitest';
import { useApi } from '../../packages/server/tests/support/api.ts';

const PAGE = join(import.meta.dirname, '..', 'pages', 'operate', 'retention.md');
/** Tables of migrations, with a row for each. */
const MIGRATIONS = /^(?:kysely_migration|migrations$)/;

const api = useApi();

/** Tables that the section "Every table" names, of the server and of the vault. */
function documentedTables(): string[][] {
  const [, section = ''] = readFileSync(PAGE, 'utf8').split('## Every table');
  return section
    .split('| tables of the ')
    .slice(1)
    .map((table) => [...table.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name));
}

async function tablesOf(url: string, schema: string): Promise<string[]> {
  await using db = openDatabase({ url, connections_max: 1 });
  const rows = await db.query(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind in ('r', 'p') order by 1`,
    [schema],
  );
  return rows.map(({ name }) => name as string).filter((name) => !MIGRATIONS.test(name));
}

it('the page on retention names every table of both databases once, with its bound', async () => {
  const [server = [], vault = []] = documentedTables();
  const { databaseUrl, adminDatabaseUrl } = api.stack;
  expect(server.toSorted()).toEqual((await tablesOf(databaseUrl, 'public')).toSorted());
  expect(vault.toSorted()).toEqual((await tablesOf(adminDatabaseUrl, 'vault')).toSorted());
});
