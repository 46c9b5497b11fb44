import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { StartSettings } from '../config/env.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { transportOf } from '../production/database-gaps.ts';
import { type Role, roles } from '../production/gap.ts';

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
  const chosenRoles = words.length === 0 ? roles : roles.filter((role) => role === words[0]);
  if (words.length > 1 || chosenRoles.length === 0)
    throw new PlainFailure(`Usage:\n${MIGRATE_USAGE}`);
  const urls = chosenRoles.map((role) => [role, ownerUrlOf(role, options.settings)] as const);
  for (const [role, url] of urls) {
    const code = await run(role, url, options);
    if (code !== 0) return code;
  }
  return 0;
}

const VARIABLE_OF = {
  server: 'FLORIN_OWNER_DATABASE_URL',
  vault: 'VAULT_OWNER_DATABASE_URL',
} as const;

function ownerUrlOf(role: Role, { owner, environment }: StartSettings): string {
  const text = owner.urls[role];
  const variable = VARIABLE_OF[role];
  if (!text)
    throw new PlainFailure(`${variable} is not set. Set it to the login that owns the tables.`);
  const url = URL.parse(text);
  if (!url || !/^postgres(ql)?:$/.test(url.protocol))
    throw new PlainFailure(`${variable} is no address of PostgreSQL.`);
  if (environment === 'production' && transportOf(url) === 'unverified')
    throw new PlainFailure(`${variable} does not verify the certificate. Add sslmode=verify-full.`);
  return text;
}

async function run(role: Role, url: string, { settings, packages }: MigrateOptions) {
  const script = join(packages, role, 'src', 'bin', 'migrate.ts');
  const env = {
    ...settings.inherited.simulator,
    ...settings.owner.roles,
    [VARIABLE_OF[role]]: url,
  };
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(child, 'close');
  return (code as number | null) ?? 1;
}
