import { parseDatabaseAddress } from '@florin/contract/database/address.ts';
import type { VariableName } from '@florin/contract/variables.ts';
import { databaseUrlsOf } from '../database/address.ts';
import type { Facts, Gap, Part } from './gap.ts';

/** How a connection to PostgreSQL travels. */
export type Transport = 'socket' | 'verified' | 'unverified';

/** The transport of a connection URL. Only `sslmode=verify-full` checks certificate and host name. */
export function transportOf(url: URL): Transport {
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname);
  if (host === '' || host.startsWith('/')) return 'socket';
  return url.searchParams.get('sslmode') === 'verify-full' ? 'verified' : 'unverified';
}

/** Gaps of the database that a variable names. */
export function databaseGaps(variable: VariableName, part: Part, { env, login }: Facts): Gap[] {
  const text = env[variable];
  if (!text) return [{ problem: `${variable} is not set.`, fix: EXAMPLE[part] }];
  const addressGaps = addressGapsOf(variable, text, EXAMPLE[part]);
  if (!databaseUrlsOf(text)) return addressGaps;
  return [
    ...addressGaps,
    ...pooledGaps(variable, text, login),
    ...loginGaps(variable, part, login),
  ];
}

/** Gaps of an address for every login. */
export function addressGapsOf(variable: VariableName, text: string, example: string): Gap[] {
  const urls = databaseUrlsOf(text);
  if (!urls) return [{ problem: `${variable} is no address of PostgreSQL.`, fix: example }];
  const session = urls[0]?.searchParams.get('target_session_attrs') ?? 'read-write';
  return [
    ...(SESSIONS.has(session)
      ? []
      : [{ problem: `${variable} asks for a standby, but Florin writes.`, fix: READ_WRITE }]),
    ...(urls.some((url) => transportOf(url) === 'unverified')
      ? [{ problem: `${variable} does not verify the certificate of PostgreSQL.`, fix: VERIFY }]
      : []),
  ];
}

/** Sessions in which Florin can write. */
const SESSIONS = new Set(['any', 'primary', 'read-write']);
const READ_WRITE = 'Set target_session_attrs=read-write, or remove it.';

/** Through PgBouncer, a session has only the time limits of its role. Florin waits 7 s for statements of 5 s at most. */
function pooledGaps(variable: VariableName, text: string, login: Facts['login']): Gap[] {
  if (!parseDatabaseAddress(text).is_pooled || !login || 'unreadable' in login) return [];
  const { unlimited } = login;
  if (unlimited.length === 0) return [];
  const problem = `${unlimited.join(', ')} is not set, or too long, for the user of ${variable}, whose sessions PgBouncer shares.`;
  return [{ problem, fix: LIMITS }];
}

const LIMITS =
  "Run as a superuser, for this user: alter role USER set statement_timeout = '5s'; alter role USER set lock_timeout = '2s'; alter role USER set idle_in_transaction_session_timeout = '10s'. Then run RECONNECT in PgBouncer.";

const EXAMPLE: Readonly<Record<Part, string>> = {
  server:
    'Set it, such as postgresql://florin_server:PASSWORD@db.example.com/florin?sslmode=verify-full.',
  vault:
    'Set it, such as postgresql://florin_vault:PASSWORD@db.example.com/florin?sslmode=verify-full.',
};
const VERIFY =
  'Add sslmode=verify-full, and sslrootcert=FILE for an authority of your own; or connect by a Unix socket, such as host=/run/postgresql.';

/** PostgreSQL with the right to vacuum a table of another owner, by `server_version_num`. */
const VERSION_MIN = 170_000;

function loginGaps(variable: VariableName, part: Part, login: Facts['login']): Gap[] {
  if (!login) return [];
  if ('unreadable' in login)
    return [{ problem: login.unreadable, fix: 'Correct it, then check again.' }];
  const user = `The user of ${variable}`;
  const { member_of, settings, other_databases } = login;
  const problems: readonly (readonly [unknown, string, string?])[] = [
    [login.version < VERSION_MIN, `${variable} points to a PostgreSQL older than 17.`, UPGRADE],
    [login.is_superuser, `${user} is a superuser.`],
    [login.has_attributes, `${user} may create roles or databases, replicate or bypass rules.`],
    [member_of.length, `${user} is a member of ${member_of.join(', ')}.`, REVOKE_ROLE],
    [login.owns, `${user} owns objects of the database.`, OWNER],
    [login.creates, `${user} can create objects in the database or in a schema.`, REVOKE],
    [settings.length, `${settings.join(', ')} is set for ${variable}'s user or database.`, RESET],
    [other_databases.length, `${user} has a grant for ${other_databases.join(', ')} too.`],
    [login.is_open, `Every user can connect to the database of ${variable}.`, REVOKE],
    [part === 'server' ? login.reaches_vault : login.reads_server, OTHER[part]],
    [
      login.lacks_migration,
      `The database of ${variable} lacks migrations up to ${login.lacks_migration}.`,
      MIGRATE,
    ],
    [part === 'vault' && login.lacks_maintenance, MAINTENANCE, MIGRATE],
  ];
  // All rights of a superuser would follow from the first.
  const found = problems.filter(([isGap]) => isGap).slice(0, login.is_superuser ? 1 : undefined);
  return found.map(([, problem, fix = LOGIN]) => ({ problem, fix }));
}

const OTHER: Readonly<Record<Part, string>> = {
  server: 'The database user of the server can enter the schema of the vault.',
  vault: 'The database user of the vault can read tables of the server.',
};
const MAINTENANCE =
  'The database user of the vault cannot remove deleted verification values from their file.';
const LOGIN =
  'Create three users as docs/pages/operate/production.md lists: an owner, one for the server and one for the vault.';
const OWNER =
  'Let the owner have them: reassign owned by USER to florin_owner. Then run "florin migrate".';
const REVOKE =
  'Run as the owner: revoke all on database NAME from public; and revoke create on schemas from this user.';
const REVOKE_ROLE = 'Revoke the membership: revoke ROLE from USER.';
const RESET = 'Remove it with alter role … reset, or alter database … reset.';
const MIGRATE = 'Run "npm run florin -- migrate" as the owner.';
const UPGRADE = 'Use PostgreSQL 17 or newer: since then, users can vacuum tables they do not own.';
