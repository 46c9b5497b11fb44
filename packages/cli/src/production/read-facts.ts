import { statSync } from 'node:fs';
import { withClient } from '../database/client.ts';
import type { Facts, LoginFacts, Role } from './gap.ts';

const URL_OF = { server: 'DATABASE_URL', vault: 'VAULT_DATABASE_URL' } as const;

/** Reads what the gaps of a role depend on: environment, users, and the rights of its database login. */
export async function readFacts(role: Role, env: Facts['env']): Promise<Facts> {
  const variable = URL_OF[role];
  const url = env[variable];
  return {
    env,
    uid: process.getuid?.(),
    vault_uid: env.VAULT_SOCKET ? ownerOf(env.VAULT_SOCKET) : undefined,
    login: url ? await readLogin(variable, url) : undefined,
  };
}

/** Undefined without a socket, and for a directory that this user may not enter. */
function ownerOf(path: string): number | undefined {
  try {
    return statSync(path).uid;
  } catch {
    return undefined;
  }
}

/** The message of a failed login never contains the address, which has a password. */
const readLogin = (variable: string, url: string): Promise<Facts['login']> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<LoginFacts & Record<string, unknown>>(LOGIN_QUERY);
    return rows[0];
  }).catch((error: Error) => ({
    unreadable: `The database of ${variable} cannot be reached (${(error as { code?: string }).code ?? error.name}).`,
  }));

const LOGIN_QUERY = `
  select r.rolsuper as is_superuser, r.rolcreaterole as may_create_roles,
    exists (select from pg_namespace
      where nspname = 'vault' and has_schema_privilege(oid, 'usage')) as reaches_vault,
    exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p')
        and has_table_privilege(c.oid, 'select')) as reads_server
  from pg_roles r where r.rolname = current_user`;
