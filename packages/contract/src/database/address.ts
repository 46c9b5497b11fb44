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
}

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#@]*)(.*)$/s;
const POOLED = /[?&]pgbouncer=true(?=&|$)/;

/** Parses an address. Does not check it: pg itself takes more forms than a URL has. */
export function parseDatabaseAddress(text: string): DatabaseAddress {
  const [, start = '', list = '', rest = ''] = PARTS.exec(text) ?? [];
  const hosts = list.split(',');
  const urls = hosts.length > 1 ? hosts.map((host) => `${start}${host}${rest}`) : [text];
  return { start, hosts, rest, urls, is_pooled: POOLED.test(rest) };
}
