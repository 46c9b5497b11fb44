import { readMigrateWords } from '@florin/contract/migrations/command.ts';
import { ownershipFromEnv } from '../config/env.ts';
import { dropCards } from '../kernel/log-guard.ts';
import { openDatabase } from '../store/db.ts';
import { commandMigration } from '../store/migrate.ts';

/** Plans, applies or verifies migrations of the vault's schema as its owner, and gives the vault's login its rights. */
async function main(): Promise<number> {
  const { ownerDatabaseUrl, vaultRole } = ownershipFromEnv();
  const { action, attempts_max } = readMigrateWords(process.argv.slice(2));
  await using db = await openDatabase(ownerDatabaseUrl, () => {});
  return await commandMigration(
    db,
    { grant_to: vaultRole, attempts_max },
    { action, print: (line) => process.stdout.write(`${dropCards(line)}\n`) },
  );
}

process.exitCode = await main().catch((error: Error) => {
  process.stderr.write(`${dropCards(error.message)}\n`);
  return 1;
});
