import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseDatabaseAddress } from '@florin/contract/database/address.ts';
import type { StartSettings } from '../config/env.ts';
import { databaseUrlsOf } from '../database/address.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { transportOf } from '../production/database-gaps.ts';
import { type Part, parts } from '../production/gap.ts';

export const MIGRATE_USAGE = `       npm run florin -- migrate [server | vault]
           migrates the tables of server and vault with the login of their owner (FLORIN_OWNER_DATABASE_URL,
           VAULT_OWNER_DATABASE_URL), and gives both users their rights; may run at any time, also again`;

export interface MigrateOptions {
  readonly settings: StartSettings;
  /** The `packages` directory. */
  readonly packages: string;
}

/**
 * Migrates as the owner. Resolves with the exit code. Throws `PlainFailure` without the owner's login, or if that
 * login would travel without verified TLS in production.
 */
export async function migrate(words: string[], options: MigrateOptions): Promise<number> {
  const chosenParts = words.length === 0 ? parts : parts.filter((part) => part === words[0]);
  if (words.length > 1 || chosenParts.length === 0)
    throw new PlainFailure(`Usage:\n${MIGRATE_USAGE}`);
  const urls = chosenParts.map((part) => [part, ownerUrlOf(part, options.settings)] as const);
  for (const [part, url] of urls) {
    const code = await run(part, url, options);
    if (code !== 0) return code;
  }
  return 0;
}

const VARIABLE_OF = {
  server: 'FLORIN_OWNER_DATABASE_URL',
  vault: 'VAULT_OWNER_DATABASE_URL',
} as const;

function ownerUrlOf(part: Part, { owner, environment }: StartSettings): string {
  const text = owner.urls[part];
  const variable = VARIABLE_OF[part];
  if (!text)
    throw new PlainFailure(`${variable} is not set. Set it to the login that owns the tables.`);
  const urls = databaseUrlsOf(text);
  if (!urls) throw new PlainFailure(`${variable} is no address of PostgreSQL.`);
  if (parseDatabaseAddress(text).is_pooled)
    throw new PlainFailure(`${variable} leads to PgBouncer. Set it to PostgreSQL itself.`);
  if (environment === 'production' && urls.some((url) => transportOf(url) === 'unverified'))
    throw new PlainFailure(`${variable} does not verify the certificate. Add sslmode=verify-full.`);
  return text;
}

async function run(part: Part, url: string, { settings, packages }: MigrateOptions) {
  const script = join(packages, part, 'src', 'bin', 'migrate.ts');
  const env = {
    ...settings.inherited.simulator,
    ...settings.owner.roles,
    [VARIABLE_OF[part]]: url,
  };
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(child, 'close');
  return (code as number | null) ?? 1;
}
