import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseDatabaseAddress } from '@florin/contract/database/address.ts';
import { MIGRATE_ACTIONS, type MigrateAction } from '@florin/contract/migrations/command.ts';
import type { StartSettings } from '../config/env.ts';
import { databaseUrlsOf } from '../database/address.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { transportOf } from '../production/database-gaps.ts';
import { type Part, parts } from '../production/gap.ts';

export const MIGRATE_USAGE = `       npm run florin -- migrate [apply] [server | vault] [--dry-run] [--attempts N]
           migrates the tables of server and vault with the login of their owner (FLORIN_OWNER_DATABASE_URL,
           VAULT_OWNER_DATABASE_URL), and gives both users their rights; may run at any time, also again.
           N is how often it tries to lock the tables of a migration
       npm run florin -- migrate plan [server | vault]
           lists what would be applied, locked and done, and changes nothing; --dry-run does the same
       npm run florin -- migrate verify [server | vault]
           compares the tables with those of this release; exits with 1 if they differ`;

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
  const { action, chosenParts, attempts } = readWords(words);
  const urls = chosenParts.map((part) => [part, ownerUrlOf(part, options.settings)] as const);
  let worst = 0;
  for (const [part, url] of urls) {
    const code = await run(part, { url, words: [action, attempts] }, options);
    if (code !== 0 && action === 'apply') return code;
    worst = Math.max(worst, code);
  }
  return worst;
}

function readWords(words: string[]) {
  const { values, positionals } = parseWords(words);
  const [first, ...others] = positionals;
  const named = MIGRATE_ACTIONS.find((it) => it === first);
  const partWords = named || first === undefined ? others : positionals;
  const chosenParts = partWords.length === 0 ? parts : parts.filter((it) => it === partWords[0]);
  const { 'dry-run': isDry = false, attempts = '' } = values;
  const isUsed = named === undefined || named === 'apply' || (!isDry && attempts === '');
  if (partWords.length > 1 || chosenParts.length === 0 || !isUsed || !ATTEMPTS.test(attempts))
    throw new PlainFailure(`Usage:\n${MIGRATE_USAGE}`);
  const action: MigrateAction = isDry ? 'plan' : (named ?? 'apply');
  return { action, chosenParts, attempts };
}

/** No number, or one of at most four digits. */
const ATTEMPTS = /^(?:[1-9]\d{0,3})?$/;

function parseWords(words: string[]) {
  const options = { 'dry-run': { type: 'boolean' }, attempts: { type: 'string' } } as const;
  try {
    return parseArgs({ args: words, allowPositionals: true, options });
  } catch (error) {
    throw new PlainFailure(`${(error as Error).message}\nUsage:\n${MIGRATE_USAGE}`);
  }
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

async function run(
  part: Part,
  { url, words }: { readonly url: string; readonly words: readonly string[] },
  { settings, packages }: MigrateOptions,
) {
  const script = join(packages, part, 'src', 'bin', 'migrate.ts');
  const env = {
    ...settings.inherited.simulator,
    ...settings.owner.roles,
    [VARIABLE_OF[part]]: url,
  };
  const child = spawn(process.execPath, [script, ...words], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'close');
  return (code as number | null) ?? 1;
}
