import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { startPostgres } from '@florin/cli/postgres/start-postgres.ts';
import { renderSchema } from '@florin/contract/migrations/verify.ts';
import { describeServerSchema, migrate } from '@florin/server/platform/database/migrate.ts';
import { openDatabase } from '@florin/vault/store/db.ts';
import { describeVaultSchema, migrate as migrateVault } from '@florin/vault/store/migrate.ts';
import { ROOT } from '../program.ts';
import { DIRECTORIES, SCHEMA } from './migrations.ts';

/** Migrates a new database, and writes the schemas of server and vault beside their migrations. Returns the paths. */
export async function recordSchemas(): Promise<string[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'florin-record-'));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const postgres = cleanup.use(await startPostgres({ dataDir, durable: false }));
  const url = postgres.url('postgres');
  await migrate(url);
  const vault = cleanup.use(await openDatabase(url, () => {}));
  await migrateVault(vault);
  const schemas = [await describeServerSchema(url), await describeVaultSchema(vault)];
  return schemas.map((schema, at) => {
    const path = join(DIRECTORIES[at] ?? '', SCHEMA);
    writeFileSync(path, renderSchema(schema));
    return relative(ROOT, path);
  });
}
