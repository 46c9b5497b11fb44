import pg from 'pg';
import { codeOf, withClient } from './client.ts';

const { escapeIdentifier, escapeLiteral } = pg;
const DUPLICATE_DATABASE = '42P04';

/** A PostgreSQL server under Florin's full control. */
export interface OwnServer {
  /** Connection string of a database for the administrator. */
  readonly adminUrl: (database: string) => string;
  readonly passwords: Readonly<Record<'florin_server' | 'florin_vault', string>>;
}

/**
 * Creates database `name` with its two users; idempotent. `florin_server` owns the database, `florin_vault` its schema
 * `vault`, and neither can read the other's tables.
 */
export async function prepareDatabase(server: OwnServer, name: string): Promise<void> {
  const { florin_server, florin_vault } = server.passwords;
  await withClient(server.adminUrl('postgres'), async (client) => {
    await ensureLogin(client, 'florin_server', florin_server);
    await ensureLogin(client, 'florin_vault', florin_vault);
    await createDatabase(client, name);
  });
  await withClient(server.adminUrl(name), (client) => client.query(grantsOf(name)));
}

async function ensureLogin(client: pg.Client, role: string, password: string): Promise<void> {
  const roleRows = await client.query('select from pg_roles where rolname = $1', [role]);
  const verb = roleRows.rowCount ? 'alter' : 'create';
  const secret = escapeLiteral(password);
  await client.query(`${verb} role ${escapeIdentifier(role)} login password ${secret}`);
}

async function createDatabase(client: pg.Client, name: string): Promise<void> {
  try {
    await client.query(`create database ${escapeIdentifier(name)} owner florin_server`);
  } catch (error) {
    if (codeOf(error) !== DUPLICATE_DATABASE) throw error;
  }
}

const grantsOf = (name: string): string => `
  revoke all on database ${escapeIdentifier(name)} from public;
  grant connect on database ${escapeIdentifier(name)} to florin_vault;
  revoke all on schema public from public;
  create schema if not exists vault authorization florin_vault;`;
