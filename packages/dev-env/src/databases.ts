import { randomUUID } from 'node:crypto';
import { withClient } from '@florin/cli/database/client.ts';
import { prepareDatabase } from '@florin/cli/database/prepare-database.ts';
import { migrate } from '@florin/server/store/migrate.ts';
import { testPostgresUrl } from './config/env.ts';

/** A migrated database of one test file's own, dropped when it is disposed of. */
export interface ClonedDatabase extends AsyncDisposable {
  /** As the server's user. */
  readonly url: string;
  /** As the vault's user. */
  readonly vaultUrl: string;
  readonly adminUrl: string;
}

/** A database without a table in it, dropped when it is disposed of. */
export interface EmptyDatabase extends AsyncDisposable {
  /** As the administrator. */
  readonly url: string;
}

const TEMPLATE = 'florin_template';
/** Any number that nothing else locks on. */
const TEMPLATE_LOCK = 4_207_001;
const PASSWORDS = { florin_server: 'server', florin_vault: 'vault' } as const;

/** Copies the template, which the first caller of a run makes. */
export async function cloneDatabase(): Promise<ClonedDatabase> {
  const name = freshName();
  await withClient(adminUrl('postgres'), async (client) => {
    // Held to the end of the connection: a template that someone is connected to cannot be copied.
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    await ensureTemplate();
    await client.query(`create database ${name} template ${TEMPLATE} owner florin_server`);
  });
  return {
    url: urlOf(name, 'florin_server'),
    vaultUrl: urlOf(name, 'florin_vault'),
    adminUrl: adminUrl(name),
    [Symbol.asyncDispose]: () => drop(name),
  };
}

/** Makes a database for tests that bring tables of their own. */
export async function emptyDatabase(): Promise<EmptyDatabase> {
  const name = freshName();
  await withClient(adminUrl('postgres'), (client) => client.query(`create database ${name}`));
  return { url: adminUrl(name), [Symbol.asyncDispose]: () => drop(name) };
}

const freshName = (): string => `florin_${randomUUID().replaceAll('-', '')}`;

async function drop(name: string): Promise<void> {
  await withClient(adminUrl('postgres'), (client) =>
    client.query(`drop database if exists ${name} with (force)`),
  );
}

/** Says in a word whether this process has seen the template complete. */
const template = { made: false };

async function ensureTemplate(): Promise<void> {
  if (template.made) return;
  await prepareDatabase({ adminUrl, passwords: PASSWORDS }, TEMPLATE);
  await migrate(urlOf(TEMPLATE, 'florin_server'));
  template.made = true;
}

function adminUrl(database: string): string {
  const url = new URL(testPostgresUrl());
  url.pathname = `/${database}`;
  return url.href;
}

function urlOf(database: string, role: keyof typeof PASSWORDS): string {
  const url = new URL(adminUrl(database));
  url.username = role;
  url.password = PASSWORDS[role];
  return url.href;
}
