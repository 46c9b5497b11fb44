import { createHash, randomUUID } from 'node:crypto';
import { withClient } from '@florin/cli/database/client.ts';
import { prepareDatabase } from '@florin/cli/database/prepare-database.ts';
import { DEFAULT_SCHEMA } from '@florin/contract/database/address.ts';
import { migrate } from '@florin/server/platform/database/migrate.ts';
import { openDatabase } from '@florin/vault/store/db.ts';
import { migrate as migrateVault } from '@florin/vault/store/migrate.ts';
import { testPostgresUrl, testSchema } from './config/env.ts';

/** A migrated database for one test file, dropped on disposal. */
export interface ClonedDatabase extends AsyncDisposable {
  /** Connects as the owner of all tables, for tests that read and change them. */
  readonly url: string;
  /** Connects as the server's user. */
  readonly serverUrl: string;
  /** Connects as the vault's user. */
  readonly vaultUrl: string;
  readonly adminUrl: string;
}

/** A database without tables, dropped on disposal. */
export interface EmptyDatabase extends AsyncDisposable {
  /** Connects as the administrator. */
  readonly url: string;
}

/** A name of this checkout alone: others may use the same PostgreSQL. */
const CHECKOUT = createHash('sha256')
  .update(import.meta.dirname)
  .digest('hex')
  .slice(0, 12);
const templateOf = (schema: string): string =>
  schema === DEFAULT_SCHEMA ? `florin_template_${CHECKOUT}` : `florin_${schema}_${CHECKOUT}`;
/** Key of the advisory lock: an arbitrary number that no other code locks. */
const TEMPLATE_LOCK = 4_207_001;
const OBJECT_IN_USE = '55006';
const COPY_ATTEMPTS = 6;
/** Passwords of the three users in a PostgreSQL of tests. */
export const DATABASE_PASSWORDS = {
  florin_owner: 'owner',
  florin_server: 'server',
  florin_vault: 'vault',
} as const;

/** Where a test database is, and the schema of the server's tables in it. */
interface Place {
  readonly server: string;
  readonly schema: string;
}

/**
 * Copies the template database of a server, by default that of the test run. The first caller of a run creates the
 * template.
 */
export async function cloneDatabase(
  server: string = testPostgresUrl(),
  schema: string = testSchema(),
): Promise<ClonedDatabase> {
  const name = newDatabaseName();
  const place = { server, schema };
  const adminUrl = (database: string): string => databaseUrl(server, database);
  await withClient(adminUrl('postgres'), async (client) => {
    // The lock is held until the connection ends, because a template with connections cannot be copied.
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    await ensureTemplate(place);
    await copyTemplate(client, name, schema);
  });
  return {
    url: urlOf(place, name, 'florin_owner'),
    serverUrl: urlOf(place, name, 'florin_server'),
    vaultUrl: urlOf(place, name, 'florin_vault'),
    adminUrl: withSchema(adminUrl(name), schema),
    [Symbol.asyncDispose]: () => drop(server, name),
  };
}

type Client = Parameters<Parameters<typeof withClient>[1]>[0];

/** Retried on a busy machine: an ended connection may outlast the five seconds that PostgreSQL waits. */
async function copyTemplate(
  client: Client,
  name: string,
  schema: string,
  attempts = COPY_ATTEMPTS,
): Promise<void> {
  // `file_copy` takes a third of the time of the default strategy, which logs every page.
  const sql = `create database ${name} template ${templateOf(schema)} strategy file_copy owner florin_owner`;
  try {
    await client.query(sql);
    if (schema !== DEFAULT_SCHEMA) await setSearchPath(client, name, schema);
  } catch (error) {
    if (attempts === 1 || (error as { code?: string }).code !== OBJECT_IN_USE) throw error;
    await copyTemplate(client, name, schema, attempts - 1);
  }
}

/** For connections that tests open themselves. Server and vault have to set their own, so they get none. */
async function setSearchPath(client: Client, database: string, schema: string): Promise<void> {
  for (const role of ['florin_owner', 'current_user'])
    await client.query(
      `alter role ${role} in database ${database} set search_path = ${schema}, pg_temp`,
    );
}

/** Creates a database for tests that create their own tables. */
export async function emptyDatabase(): Promise<EmptyDatabase> {
  const name = newDatabaseName();
  const server = testPostgresUrl();
  await withClient(databaseUrl(server, 'postgres'), (client) =>
    client.query(`create database ${name}`),
  );
  return { url: databaseUrl(server, name), [Symbol.asyncDispose]: () => drop(server, name) };
}

const newDatabaseName = (): string => `florin_${randomUUID().replaceAll('-', '')}`;

async function drop(server: string, name: string): Promise<void> {
  await withClient(databaseUrl(server, 'postgres'), (client) =>
    client.query(`drop database if exists ${name} with (force)`),
  );
}

/** Servers whose template is complete. */
const templates = new Set<string>();

async function ensureTemplate(place: Place): Promise<void> {
  const { server, schema } = place;
  const template = templateOf(schema);
  if (templates.has(server + template)) return;
  const adminUrl = (database: string): string => databaseUrl(server, database);
  await prepareDatabase({ adminUrl, passwords: DATABASE_PASSWORDS }, template);
  // Tests watch what sessions of other users wait for.
  await withClient(adminUrl('postgres'), (client) =>
    client.query('grant pg_monitor, pg_signal_backend to florin_owner'),
  );
  const ownerUrl = urlOf(place, template, 'florin_owner');
  await migrate(ownerUrl, { grant_to: 'florin_server' });
  await withClient(adminUrl(template), async (client) => {
    await client.query(`revoke connect on database ${template} from florin_server, florin_vault`);
    // Statements that name it must fail.
    if (schema !== DEFAULT_SCHEMA) await client.query('drop schema if exists public');
  });
  await using owner = await openDatabase(ownerUrl, () => {});
  await migrateVault(owner, () => {}, { grant_to: 'florin_vault' });
  templates.add(server + template);
}

export function databaseUrl(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

function urlOf(
  { server, schema }: Place,
  database: string,
  role: keyof typeof DATABASE_PASSWORDS,
): string {
  const url = new URL(withSchema(databaseUrl(server, database), schema));
  url.username = role;
  url.password = DATABASE_PASSWORDS[role];
  return url.href;
}

function withSchema(address: string, schema: string): string {
  if (schema === DEFAULT_SCHEMA) return address;
  const url = new URL(address);
  url.searchParams.set('schema', schema);
  return url.href;
}
