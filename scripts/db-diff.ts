import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@florin/cli/postgres/start-postgres.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { isStoredAsSent } from '@florin/server/features/index.ts';
import { compileModels } from '@florin/server/jsonapi/model.ts';
import { expectedTables } from '@florin/server/jsonapi/schema/tables.ts';
import { openDatabase } from '@florin/server/platform/database/db.ts';
import { migrate } from '@florin/server/platform/database/migrate.ts';
import { readTables } from '@florin/server/platform/database/schema/actual.ts';
import { diffSchema, type SchemaDifference } from '@florin/server/platform/database/schema/diff.ts';
import {
  migrationSql,
  type SchemaChange,
} from '@florin/server/platform/database/schema/migration-sql.ts';
import { ROOT } from './program.ts';

const MIGRATIONS = join(ROOT, 'packages/server/src/platform/database/migrations');
const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Writes the difference between a freshly migrated database and the definitions as the next migration. */
async function main(givenName: string | undefined): Promise<void> {
  if (givenName !== undefined && !NAME.test(givenName)) {
    throw new Error('Name a migration in lower case with dashes, such as add-invoices.');
  }
  const { changes, notes } = await findDifference();
  for (const note of notes) console.log(`To decide: ${note}.`);
  if (changes.length > 0) writeMigration(givenName ?? nameOf(changes), migrationSql(changes));
  else if (notes.length === 0) console.log('The database matches the definitions.');
}

async function findDifference(): Promise<SchemaDifference> {
  const dataDir = mkdtempSync(join(tmpdir(), 'florin-diff-'));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const postgres = cleanup.use(await startPostgres({ dataDir, durable: false }));
  const url = postgres.url('postgres');
  await migrate(url);
  const db = cleanup.use(openDatabase({ url, connections_max: 1 }));
  const models = compileModels(resources);
  return diffSchema(expectedTables(models), await readTables(db), {
    isStoredAsSent: (table) => isStoredAsSent(models, table),
  });
}

function writeMigration(name: string, sql: string): void {
  const numbers = readdirSync(MIGRATIONS).map((file) => Number.parseInt(file, 10) || 0);
  const number = String(Math.max(0, ...numbers) + 1).padStart(4, '0');
  const path = join(MIGRATIONS, `${number}-${name}.sql`);
  const marked = `-- florin: expand\n${sql}`;
  writeFileSync(path, marked, { flag: 'wx' });
  console.log(
    `${marked}\nWritten to ${path}. Read it before you start Florin with it, write contract in its first line if processes of the release before cannot run with it, and record it with \`npm run db:record\` when it is finished.`,
  );
}

/** File name part with the affected tables. */
function nameOf(changes: readonly SchemaChange[]): string {
  const tables = changes.map(({ table }) => (typeof table === 'string' ? table : table.name));
  const [firstTable, ...otherTables] = new Set(tables);
  return [firstTable, ...(otherTables.length > 0 ? ['and-more'] : [])]
    .join('-')
    .replaceAll('_', '-');
}

try {
  await main(process.argv[2]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
