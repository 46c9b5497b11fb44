import { prepareDatabase } from '@florin/cli/database/prepare-database.ts';
import { DATABASE_PASSWORDS } from '@florin/dev-env/databases.ts';
import type { ClusterDatabase } from '../support/cluster.ts';

/** A database that a release migrates itself. */
export interface OwnedDatabase extends ClusterDatabase {
  readonly ownerUrl: string;
}

/** Creates a database without tables and its three users. */
export async function createOwnedDatabase(
  postgresUrl: string,
  name: string,
): Promise<OwnedDatabase> {
  const adminUrl = (database: string): string => {
    const url = new URL(postgresUrl);
    url.pathname = `/${database}`;
    return url.href;
  };
  await prepareDatabase({ adminUrl, passwords: DATABASE_PASSWORDS }, name);
  const urlOf = (role: keyof typeof DATABASE_PASSWORDS): string => {
    const url = new URL(adminUrl(name));
    url.username = role;
    url.password = DATABASE_PASSWORDS[role];
    return url.href;
  };
  return {
    adminUrl: adminUrl(name),
    ownerUrl: urlOf('florin_owner'),
    serverUrl: urlOf('florin_server'),
    vaultUrl: urlOf('florin_vault'),
  };
}
