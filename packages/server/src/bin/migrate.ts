import { readMigrateWords } from '@florin/contract/migrations/command.ts';
import { ownershipFromEnv } from '../config/env.ts';
import { commandMigration } from '../platform/database/migrate.ts';

/** Plans, applies or verifies migrations as the owner, and gives the server's login its rights. */
async function main(): Promise<number> {
  const { owner_database_url, server_role } = ownershipFromEnv();
  const { action, attempts_max } = readMigrateWords(process.argv.slice(2));
  return commandMigration(
    owner_database_url,
    { grant_to: server_role, attempts_max },
    { action, print: (line) => process.stdout.write(`${line}\n`) },
  );
}

process.exitCode = await main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  return 1;
});
