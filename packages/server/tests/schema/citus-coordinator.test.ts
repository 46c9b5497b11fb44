import { withClient } from '@florin/cli/database/client.ts';
import { type ClonedDatabase, cloneDatabase } from '@florin/dev-env/databases.ts';
import { openDatabase as openVaultDatabase } from '@florin/vault/store/db.ts';
import { migrate as migrateVault } from '@florin/vault/store/migrate.ts';
import { expect, it } from 'vitest';
import { migrate } from '../../src/platform/database/migrate.ts';
import { useOwnStack } from '../support/api.ts';

/** The table by which Citus knows a node's group, as its extension creates it. */
const becomeNode = (database: Pick<ClonedDatabase, 'adminUrl'>, group: number): Promise<unknown> =>
  withClient(database.adminUrl, (client) =>
    client.query(`set allow_system_table_mods = on;
      create table if not exists pg_catalog.pg_dist_local_group (groupid integer primary key);
      grant select on pg_catalog.pg_dist_local_group to public;
      delete from pg_catalog.pg_dist_local_group;
      insert into pg_catalog.pg_dist_local_group values (${group})`),
  );

const REFUSAL = 'The address leads to the coordinator of Citus';

it('migrations of server and vault refuse a coordinator of Citus, and run on a worker', async () => {
  await using database = await cloneDatabase();
  const migrateBoth = async () => {
    await migrate(database.url);
    await using owner = await openVaultDatabase(database.url, () => {});
    await migrateVault(owner);
  };
  await becomeNode(database, 0);
  await expect(migrate(database.url)).rejects.toThrow(REFUSAL);
  await using owner = await openVaultDatabase(database.url, () => {});
  await expect(migrateVault(owner)).rejects.toThrow(REFUSAL);
  await becomeNode(database, 3);
  await expect(migrateBoth()).resolves.toBeUndefined();
});

const api = useOwnStack();

it('a server does not start on a coordinator of Citus', async () => {
  const { stack } = api;
  const database = { adminUrl: stack.adminDatabaseUrl };
  await stack.stop('server');
  await becomeNode(database, 0);
  await expect(stack.start('server')).rejects.toThrow(REFUSAL);
  await becomeNode(database, 1);
  await stack.start('server');
  expect((await api.client.get('/v2/customers')).status).toBe(200);
});
