import { ownershipFromEnv } from '../config/env.ts';
import { migrate } from '../platform/database/migrate.ts';

/** Migrates the database as its owner, and gives the server's login its rights. Prints what was done. */
async function main(): Promise<void> {
  const { owner_database_url, server_role } = ownershipFromEnv();
  let count = 0;
  await migrate(owner_database_url, {
    grant_to: server_role,
    report: (event) => {
      if (event.event !== 'migration_applied') return;
      count += 1;
      process.stdout.write(`${event.migration}\n`);
    },
  });
  process.stdout.write(`The server's tables are up to date (${count} migrations applied).\n`);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
