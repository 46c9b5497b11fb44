import { ownershipFromEnv } from '../config/env.ts';
import { dropCards } from '../kernel/log-guard.ts';
import { openDatabase } from '../store/db.ts';
import { migrate } from '../store/migrate.ts';

/** Migrates the vault's schema as its owner, and gives the vault's login its rights. Prints what was done. */
async function main(): Promise<void> {
  const { ownerDatabaseUrl, vaultRole } = ownershipFromEnv();
  await using db = await openDatabase(ownerDatabaseUrl, () => {});
  let count = 0;
  const report = (event: { readonly event: string }): void => {
    if (event.event === 'migration_applied') count += 1;
  };
  await migrate(db, report, { grant_to: vaultRole });
  process.stdout.write(`The vault's tables are up to date (${count} migrations applied).\n`);
}

main().catch((error: Error) => {
  process.stderr.write(`${dropCards(error.message)}\n`);
  process.exitCode = 1;
});
