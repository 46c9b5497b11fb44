import fs, { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  findRootKeyFaults,
  findSecretFileFaults,
  findSecretsKeyFaults,
  type KeyFileFault,
} from '@florin/contract/key-files.ts';
import {
  PENDING_ACCOUNTS_QUERY,
  type PendingAccount,
} from '@florin/contract/protocol/pending-accounts.ts';
import { parseVaultAddresses } from '@florin/contract/tls/vault-address.ts';
import type { Environment } from '@florin/contract/variables.ts';
import type pg from 'pg';
import { codeOf, withClient } from '../database/client.ts';
import { isUsable } from '../kernel/usable-directory.ts';
import type { Facts, LoginFacts, Part } from './gap.ts';
import { readTls } from './read-tls.ts';

const PACKAGES = join(import.meta.dirname, '..', '..', '..');
const URL_OF = { server: 'DATABASE_URL', vault: 'VAULT_DATABASE_URL' } as const;

/** Reads what the gaps of a part depend on: environment, users, and the rights of its database login. */
export async function readFacts(part: Part, env: Facts['env']): Promise<Facts> {
  const variable = URL_OF[part];
  const url = env[variable];
  return {
    env,
    uid: process.getuid?.(),
    vault_uid: vaultOwner(env),
    tls: await readTls(part, env),
    data_is_usable: env.FLORIN_DATA ? isUsable(env.FLORIN_DATA) : undefined,
    has_secrets_file: env.FLORIN_DATA ? isThere(join(env.FLORIN_DATA, 'secrets.key')) : undefined,
    key_faults: findKeyFaults(part, env),
    login: url ? await readLogin(part, url) : undefined,
  };
}

/** Owner of the first socket that the server knows. */
function vaultOwner({ VAULT_SOCKET, FLORIN_VAULT_ADDRESSES: text }: Facts['env']) {
  const addresses = parseVaultAddresses(text ?? '') ?? [];
  const listed = addresses.find((address) => address.kind === 'socket');
  const path = listed?.path ?? VAULT_SOCKET;
  return path ? ownerOf(path) : undefined;
}

/** Undefined without a socket, and for a directory that this user may not enter. */
function ownerOf(path: string): number | undefined {
  try {
    return statSync(path).uid;
  } catch {
    return undefined;
  }
}

function isThere(path: string): boolean | undefined {
  try {
    return statSync(path) !== undefined;
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? false : undefined;
  }
}

/** Keys of a part that another user could read or replace. None where the system has no user numbers. */
export function findKeyFaults(
  part: Part,
  env: Environment,
  uid: number | undefined = process.getuid?.(),
): KeyFileFault[] {
  const { FLORIN_DATA, FLORIN_SECRETS_KEY } = env;
  if (!FLORIN_DATA || uid === undefined) return [];
  const directory = resolve(FLORIN_DATA);
  if (part === 'vault')
    return [
      ...findRootKeyFaults(fs, join(directory, 'vault'), uid),
      ...findSecretFileFaults(fs, env),
    ];
  return FLORIN_SECRETS_KEY ? [] : findSecretsKeyFaults(fs, directory, uid);
}

/** The message of a failed login never contains the address, which has a password. */
const readLogin = (part: Part, url: string): Promise<Facts['login']> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<LoginFacts & Record<string, unknown>>(LOGIN_QUERY);
    const lacks_migration = await readMissing(part, client);
    const has_secrets = part === 'server' && !lacks_migration && (await hasSecrets(client));
    const pending = part === 'vault' && !lacks_migration ? await readPending(client) : [];
    return rows[0] && { ...rows[0], lacks_migration, has_secrets, pending_accounts: pending };
  }).catch((error: Error) => ({
    unreadable: `The database of ${URL_OF[part]} cannot be reached (${(error as { code?: string }).code ?? error.name}).`,
  }));

/** Accounts that one line names. */
const PENDING_NAMED_MAX = 20;

async function readPending(client: pg.Client): Promise<readonly PendingAccount[]> {
  const { rows } = await client.query<PendingAccount & Record<string, unknown>>(
    PENDING_ACCOUNTS_QUERY,
    [PENDING_NAMED_MAX],
  );
  return rows;
}

async function hasSecrets(client: pg.Client): Promise<boolean> {
  const sql = `select from installation_facts where name = 'secrets_key'`;
  return (await client.query(sql)).rowCount === 1;
}

const MIGRATIONS = {
  server: {
    directory: join(PACKAGES, 'server', 'src', 'platform', 'database', 'migrations'),
    query: 'select from kysely_migration where name = $1',
  },
  vault: {
    directory: join(PACKAGES, 'vault', 'src', 'store', 'migrations'),
    query: `select from vault.migrations where name = $1 || '.sql'`,
  },
} as const;
/** PostgreSQL's codes for a table or a schema that is missing, or that this login may not use. */
const NOT_MIGRATED = new Set(['42P01', '3F000', '42501']);

/** Name of the newest migration, if the database lacks it. */
async function readMissing(part: Part, client: pg.Client): Promise<string | undefined> {
  const { directory, query } = MIGRATIONS[part];
  const files = readdirSync(directory).filter((file) => file.endsWith('.sql'));
  const newest = files
    .sort()
    .at(-1)
    ?.replace(/\.sql$/, '');
  try {
    const { rowCount } = await client.query(query, [newest]);
    return rowCount === 0 ? newest : undefined;
  } catch (error) {
    if (NOT_MIGRATED.has(codeOf(error))) return newest;
    throw error;
  }
}

const LOGIN_QUERY = `
  with login as (select * from pg_roles where rolname = current_user),
    here as (select * from pg_database where datname = current_database())
  select current_setting('server_version_num')::integer as version,
    r.rolsuper as is_superuser,
    r.rolcreaterole or r.rolcreatedb or r.rolreplication or r.rolbypassrls as has_attributes,
    array(select m.roleid::regrole::text from pg_auth_members m where m.member = r.oid order by 1) as member_of,
    r.oid = d.datdba
      or exists (select from pg_shdepend where refobjid = r.oid and deptype = 'o' and dbid in (0, d.oid)) as owns,
    has_database_privilege(d.oid, 'create, temporary')
      or exists (select from pg_namespace where has_schema_privilege(oid, 'create')) as creates,
    array(select split_part(setting, '=', 1) from pg_db_role_setting s, unnest(s.setconfig) setting
      where s.setdatabase in (0, d.oid) and s.setrole in (0, r.oid)
        and split_part(setting, '=', 1) in ('search_path', 'role', 'session_authorization', 'session_preload_libraries',
          'local_preload_libraries') order by 1) as settings,
    array(select datname::text from pg_database other
      where other.oid <> d.oid and datallowconn and has_database_privilege(other.oid, 'connect')
        and not has_database_privilege('public', other.oid, 'connect') order by 1) as other_databases,
    array(select name from pg_settings where name in ('statement_timeout', 'lock_timeout',
        'idle_in_transaction_session_timeout') and (setting = '0'
          or case when name = 'statement_timeout' then setting::integer > 5000 end) order by name) as unlimited,
    has_database_privilege('public', d.oid, 'connect') as is_open,
    exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'vault' and c.relname in ('cvvs', 'cvv_epochs')
        and case when current_setting('server_version_num')::integer >= 170000
          then not has_table_privilege(c.oid, 'maintain') else false end) as lacks_maintenance,
    exists (select from pg_namespace
      where nspname = 'vault' and has_schema_privilege(oid, 'usage')) as reaches_vault,
    exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where (n.nspname = 'public'
          or exists (select from pg_class m where m.relnamespace = n.oid and m.relname = 'kysely_migration'))
        and c.relkind in ('r', 'p') and has_table_privilege(c.oid, 'select')) as reads_server
  from login r, here d`;
