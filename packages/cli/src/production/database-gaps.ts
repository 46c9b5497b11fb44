import type { VariableName } from '@florin/contract/variables.ts';
import type { Facts, Gap, LoginFacts, Role } from './gap.ts';

/** How a connection to PostgreSQL travels. */
export type Transport = 'socket' | 'verified' | 'unverified';

/** The transport of a connection URL. Only `sslmode=verify-full` checks certificate and host name. */
export function transportOf(url: URL): Transport {
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname);
  if (host === '' || host.startsWith('/')) return 'socket';
  return url.searchParams.get('sslmode') === 'verify-full' ? 'verified' : 'unverified';
}

/** Gaps of the database that a variable names. */
export function databaseGaps(variable: VariableName, role: Role, { env, login }: Facts): Gap[] {
  const text = env[variable];
  if (!text) return [{ problem: `${variable} is not set.`, fix: EXAMPLE[role] }];
  const url = URL.parse(text);
  if (!url || !/^postgres(ql)?:$/.test(url.protocol))
    return [{ problem: `${variable} is no address of PostgreSQL.`, fix: EXAMPLE[role] }];
  const transportGaps =
    transportOf(url) === 'unverified'
      ? [{ problem: `${variable} does not verify the certificate of PostgreSQL.`, fix: VERIFY }]
      : [];
  return [...transportGaps, ...loginGaps(variable, role, login)];
}

const EXAMPLE: Readonly<Record<Role, string>> = {
  server:
    'Set it, such as postgresql://florin_server:PASSWORD@db.example.com/florin?sslmode=verify-full.',
  vault:
    'Set it, such as postgresql://florin_vault:PASSWORD@db.example.com/florin?sslmode=verify-full.',
};
const VERIFY =
  'Add sslmode=verify-full, and sslrootcert=FILE for an authority of your own; or connect by a Unix socket, such as host=/run/postgresql.';

function loginGaps(variable: VariableName, role: Role, login: Facts['login']): Gap[] {
  if (!login) return [];
  if ('unreadable' in login)
    return [{ problem: login.unreadable, fix: 'Correct it, then check again.' }];
  const other = role === 'server' ? login.reaches_vault : login.reads_server;
  return [
    ...(isPowerful(login)
      ? [{ problem: `The user of ${variable} is a superuser or may create roles.`, fix: LOGIN }]
      : []),
    ...(other ? [{ problem: OTHER[role], fix: LOGIN }] : []),
  ];
}

const isPowerful = ({ is_superuser, may_create_roles }: LoginFacts): boolean =>
  is_superuser || may_create_roles;

const OTHER: Readonly<Record<Role, string>> = {
  server: 'The database user of the server can enter the schema of the vault.',
  vault: 'The database user of the vault can read tables of the server.',
};
const LOGIN =
  'Create two users as docs/pages/operate/production.md lists, one for the server and one for the vault.';
