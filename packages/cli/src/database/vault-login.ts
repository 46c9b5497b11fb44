import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

const { escapeIdentifier, escapeLiteral } = pg;

/** The vault's own user in an external database. */
export interface VaultLogin {
  readonly role: string;
  readonly password: string;
}

/**
 * Reads or creates the login of a data directory. Two Florins on one server then never change each other's password.
 */
export async function ensureVaultLogin(dataDir: string): Promise<VaultLogin> {
  const path = join(dataDir, 'vault-login.json');
  if (existsSync(path)) return JSON.parse(await readFile(path, 'utf8')) as VaultLogin;
  const login = {
    role: `florin_vault_${randomBytes(4).toString('hex')}`,
    password: randomBytes(24).toString('base64url'),
  };
  await writeFile(`${path}.new`, JSON.stringify(login), { mode: 0o600 });
  await rename(`${path}.new`, path);
  return login;
}

/**
 * Creates the login in the database of `client` and gives it schema `vault`. If a vault of another data directory
 * owns the schema, both logins share it. Throws the database's error if the client's user lacks privileges.
 */
export async function grantVaultLogin(client: pg.Client, login: VaultLogin): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`select pg_advisory_xact_lock(hashtext('florin vault login'))`);
    await ensureRole(client, login);
    await ensureSchema(client, login.role);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function ensureRole(client: pg.Client, { role, password }: VaultLogin): Promise<void> {
  const roleRows = await client.query('select from pg_roles where rolname = $1', [role]);
  const verb = roleRows.rowCount ? 'alter' : 'create';
  const secret = escapeLiteral(password);
  await client.query(`${verb} role ${escapeIdentifier(role)} login password ${secret}`);
}

async function ensureSchema(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query<{ owner: string | null; database: string }>(
    `select current_database() as database,
       (select pg_get_userbyid(nspowner) from pg_namespace where nspname = 'vault') as owner`,
  );
  const { owner, database } = rows[0] as { owner: string | null; database: string };
  if (owner === name) return;
  const role = escapeIdentifier(name);
  if (owner) {
    await client.query(`grant ${escapeIdentifier(owner)} to ${role}`);
    await client.query(
      `alter role ${role} in database ${escapeIdentifier(database)} set role ${escapeIdentifier(owner)}`,
    );
    return;
  }
  // PostgreSQL lets only members of a role, and superusers, create a schema for that role.
  await client.query(`grant ${role} to current_user`);
  await client.query(`create schema vault authorization ${role}`);
  await client.query(`revoke ${role} from current_user`);
}
