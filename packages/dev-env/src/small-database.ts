import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { withClient } from '@florin/cli/database/client.ts';
import { transferToAccount } from '@florin/cli/postgres/account.ts';
import { testPostgresUrl } from './config/env.ts';
import { databaseUrl } from './databases.ts';
import type { SmallDisk } from './small-disk.ts';

/**
 * Moves the files of an unused database to a small disk, which other users may enter. The write-ahead log stays, so that
 * PostgreSQL runs while the disk is full. To dispose of after the database. Undefined where PostgreSQL runs elsewhere.
 */
export async function moveToDisk(
  { directory }: SmallDisk,
  url: string,
): Promise<AsyncDisposable | undefined> {
  const administer = (sql: string) =>
    withClient(databaseUrl(testPostgresUrl(), 'postgres'), (client) => client.query(sql));
  const { rows } = await administer('show data_directory');
  if (!existsSync(rows[0].data_directory)) return undefined;
  const name = new URL(url).pathname.slice(1);
  const location = join(directory, name);
  mkdirSync(location);
  await transferToAccount(location);
  await administer(`create tablespace ${name} location '${location}'`);
  await administer(`alter database ${name} set tablespace ${name}`);
  return {
    async [Symbol.asyncDispose]() {
      await administer(`drop tablespace ${name}`);
    },
  };
}
