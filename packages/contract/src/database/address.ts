/** Address of PostgreSQL, which may name several hosts: `postgres://user@h1,h2:5433/name?…`. */
export interface DatabaseAddress {
  /** Scheme, user and password, up to the hosts. */
  readonly start: string;
  readonly hosts: readonly string[];
  /** Path and parameters. */
  readonly rest: string;
  /** One address per host, in order. */
  readonly urls: readonly string[];
  /** Whether PgBouncer in transaction mode is in between (`pgbouncer=true`). */
  readonly is_pooled: boolean;
  /** Schema of the server's tables (`schema=cell_a`). The vault's are always in `vault`. */
  readonly schema: string;
  /** Whether every statement gets a plan of its own (`plans=fresh`), as Citus needs for those with JSON parameters. */
  readonly has_fresh_plans: boolean;
}

/** Schema of an address that names none. */
export const DEFAULT_SCHEMA = 'public';

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#@]*)(.*)$/s;
const POOLED = /[?&]pgbouncer=true(?=&|$)/;
const FRESH_PLANS = /[?&]plans=fresh(?=&|$)/;
const SCHEMA = /[?&]schema=([^&]*)/;

/** Parses an address. Does not check it: pg itself takes more forms than a URL has. */
export function parseDatabaseAddress(text: string): DatabaseAddress {
  const [, start = '', list = '', rest = ''] = PARTS.exec(text) ?? [];
  const hosts = list.split(',');
  const urls = hosts.length > 1 ? hosts.map((host) => `${start}${host}${rest}`) : [text];
  const schema = SCHEMA.exec(rest)?.[1] ?? DEFAULT_SCHEMA;
  return {
    start,
    hosts,
    rest,
    urls,
    is_pooled: POOLED.test(rest),
    schema,
    has_fresh_plans: FRESH_PLANS.test(rest),
  };
}

/** Short enough for the names of channels, which begin with it. */
const SCHEMA_NAME = /^(?!pg_)[a-z_][a-z0-9_]{0,30}$/;
const RESERVED = new Set(['information_schema', 'vault']);

/** Describes an unusable schema of an address, for the name of its variable; undefined if it is usable. */
export function describeSchemaProblem({
  schema,
  is_pooled,
}: Pick<DatabaseAddress, 'schema' | 'is_pooled'>): string | undefined {
  if (!SCHEMA_NAME.test(schema) || RESERVED.has(schema))
    return 'its schema must be 1 to 31 lower-case letters, digits and _, begin with no digit, and be no schema of PostgreSQL or of the vault';
  return is_pooled && schema !== DEFAULT_SCHEMA
    ? `its schema must be ${DEFAULT_SCHEMA} behind PgBouncer, whose sessions have the search path of their role`
    : undefined;
}
