import pg from 'pg';
import { codeOf, withClient } from './client.ts';

const { escapeIdentifier, escapeLiteral } = pg;
const DUPLICATE_DATABASE = '42P04';

const OWNER = 'florin_owner';
const LOGINS = ['florin_server', 'florin_vault'] as const;

/** A PostgreSQL server under Florin's full control. */
export interface OwnServer {
  /** Connection string of a database for the administrator. */
  readonly adminUrl: (database: string) => string;
  readonly passwords: Readonly<Record<typeof OWNER | (typeof LOGINS)[number], string>>;
}

/**
 * Creates database `name` with its three users; idempotent. `florin_owner` owns the database and all tables.
 * `florin_server` and `florin_vault` own nothing: migrations give them the rows of one schema each.
 */
export async function prepareDatabase(server: OwnServer, name: string): Promise<void> {
  await withClient(server.adminUrl('postgres'), async (client) => {
    for (const role of [OWNER, ...LOGINS] as const)
      await ensureLogin(client, role, server.passwords[role]);
    await createDatabase(client, name);
  });
  await withClient(server.adminUrl(name), async (client) => {
    await client.query(ownershipOf(name));
    await client.query(connectionsOf(name));
  });
}

async function ensureLogin(client: pg.Client, role: string, password: string): Promise<void> {
  const roleRows = await client.query('select from pg_roles where rolname = $1', [role]);
  const verb = roleRows.rowCount ? 'alter' : 'create';
  const secret = escapeLiteral(password);
  await client.query(`${verb} role ${escapeIdentifier(role)} login password ${secret}`);
}

async function createDatabase(client: pg.Client, name: string): Promise<void> {
  try {
    await client.query(`create database ${escapeIdentifier(name)} owner ${OWNER}`);
  } catch (error) {
    if (codeOf(error) !== DUPLICATE_DATABASE) throw error;
  }
}

/** In databases of earlier versions, server and vault owned their tables. */
const ownershipOf = (name: string): string => `
  do $$ begin
    if exists (select from pg_class where relowner in (${LOGINS.map((role) => `'${role}'::regrole`)})) then
      reassign owned by ${LOGINS.join(', ')} to ${OWNER};
    end if;
  end $$;
  alter database ${escapeIdentifier(name)} owner to ${OWNER};
  create schema if not exists vault;
  alter schema vault owner to ${OWNER};`;

const connectionsOf = (name: string): string => `
  revoke all on database ${escapeIdentifier(name)} from public, ${LOGINS.join(', ')};
  grant connect on database ${escapeIdentifier(name)} to ${LOGINS.join(', ')};
  do $$ begin
    if to_regnamespace('public') is not null then revoke all on schema public from public; end if;
  end $$;`;
