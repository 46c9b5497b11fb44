import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE } from '../commands/services.ts';
import { withClient } from '../database/client.ts';
import type { RunningPostgres } from '../postgres/start-postgres.ts';

/** The newest migration of server and vault. */
export interface Migrations {
  readonly server: string;
  readonly vault: string;
}

const QUERY = {
  server: 'select max(name) as name from kysely_migration',
  vault: "select max(replace(name, '.sql', '')) as name from vault.migrations",
} as const;
const DIRECTORY = {
  server: ['server', 'src', 'platform', 'database', 'migrations'],
  vault: ['vault', 'src', 'store', 'migrations'],
} as const;
const PARTS = ['server', 'vault'] as const;

/** Reads the newest applied migrations of a database. */
export const appliedMigrations = (postgres: RunningPostgres): Promise<Migrations> =>
  withClient(postgres.url(DATABASE), async (client) => {
    const newest = async (part: (typeof PARTS)[number]) =>
      ((await client.query(QUERY[part])).rows as { name: string | null }[])[0]?.name ?? '';
    return { server: await newest('server'), vault: await newest('vault') };
  });

/** The newest migrations of this release. */
export function releasedMigrations(packages: string): Migrations {
  const newest = (part: (typeof PARTS)[number]) =>
    readdirSync(join(packages, ...DIRECTORY[part]))
      .filter((name) => name.endsWith('.sql'))
      .sort()
      .at(-1)
      ?.replace('.sql', '') ?? '';
  return { server: newest('server'), vault: newest('vault') };
}

/** Sentence about a schema that is newer than this release; undefined if the release can open it. */
export function refuseSchema(applied: Migrations, released: Migrations): string | undefined {
  const newer = PARTS.find((part) => applied[part] > released[part]);
  return newer
    ? `The backup has the schema of a newer Florin: its ${newer} was migrated to ${applied[newer]}, and this release knows ${released[newer]}. Restore with the release that wrote the backup, or a newer one.`
    : undefined;
}
