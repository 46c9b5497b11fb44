import { withClient } from '@florin/cli/database/client.ts';
import {
  globalTables,
  tenantTables,
} from '@florin/server/platform/database/installation/placement.ts';
import { type ClonedDatabase, cloneDatabase } from './databases.ts';

/**
 * Creates the database of people for a cell. Removes from both what belongs to the other, so that a statement in the wrong
 * place fails.
 */
export async function createPeopleApart(cell: ClonedDatabase): Promise<ClonedDatabase> {
  const global = await cloneDatabase();
  await withClient(cell.adminUrl, async (client) => {
    await client.query(`drop table ${globalTables.join(', ')} cascade`);
    await client.query(
      `alter table accounts add constraint copies_have_no_secrets
       check (not operator and password_hash is null and totp_secret is null)`,
    );
  });
  await withClient(global.adminUrl, (client) =>
    client.query(`drop table ${tenantTables.join(', ')} cascade`),
  );
  return global;
}
