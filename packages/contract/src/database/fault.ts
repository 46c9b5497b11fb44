/** Reasons why a statement was not sent or got no response. */
export type DatabaseFault =
  | 'silent'
  | 'pool_exhausted'
  | 'connections_exhausted'
  | 'certificate_not_valid'
  | 'tls_not_supported'
  | 'login_refused'
  | 'starting'
  | 'read_only'
  | 'disk_full'
  | 'unreachable'
  | 'connection_broken';

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'EAI_AGAIN',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
]);
const TIMED_OUT = 'ETIMEDOUT';
const BROKEN_CONNECTION_CODES = new Set(['ECONNRESET', 'EPIPE']);
/** Node's error codes of certificate errors. */
const CERTIFICATE = /CERT|ERR_TLS|UNABLE_TO_VERIFY|HOSTNAME_MISMATCH|INVALID_CA/;
const LOGIN_REFUSED = /^28[0-9A-Z]{3}$/;
/** SQLSTATE of "too many connections". The other codes of class 53 are other missing resources. */
const TOO_MANY_CONNECTIONS = '53300';
const DISK_FULL = '53100';
/** SQLSTATE while the database starts, recovers or stops. */
const CANNOT_CONNECT_NOW = '57P03';
/** SQLSTATE of a write to a standby, or to a database that was made read-only. */
export const READ_ONLY = '25006';
/** SQLSTATE classes of failed connections and of servers that shut down. */
const ENDED = /^(?:08|57P)/;

/**
 * Error messages of `pg` itself, which has no codes. Errors of the database are matched by code:
 * their messages may quote a client's text.
 */
const messages: readonly (readonly [RegExp, DatabaseFault])[] = [
  [/due to connection timeout|^timeout expired$/i, 'silent'],
  [/timeout exceeded when trying to connect/i, 'pool_exhausted'],
  [/connection terminated|is not queryable/i, 'connection_broken'],
  [/does not support SSL/i, 'tls_not_supported'],
];

export class SilenceError extends Error {
  override name = 'SilenceError';
  readonly code = TIMED_OUT;
  constructor(limit_ms: number) {
    super(`the database did not answer a statement within ${limit_ms} ms`);
  }
}

/** Why the database is unreachable. Undefined for an error that the database itself returned. */
export function databaseFaultOf(error: unknown): DatabaseFault | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = codeOf(error);
  if (code === TOO_MANY_CONNECTIONS) return 'connections_exhausted';
  if (code === CANNOT_CONNECT_NOW) return 'starting';
  if (code === READ_ONLY) return 'read_only';
  if (code === DISK_FULL) return 'disk_full';
  if (code === TIMED_OUT) return 'silent';
  if (UNREACHABLE.has(code)) return 'unreachable';
  if (BROKEN_CONNECTION_CODES.has(code) || ENDED.test(code)) return 'connection_broken';
  if (LOGIN_REFUSED.test(code)) return 'login_refused';
  if (CERTIFICATE.test(code)) return 'certificate_not_valid';
  return code ? undefined : messages.find(([message]) => message.test(error.message))?.[1];
}

/** Code of an error: an SQLSTATE or a Node code. */
export const codeOf = (error: unknown): string =>
  String((error as { code?: unknown } | null)?.code ?? '');

/**
 * Faults after which the statement may have been executed. After the other faults, it was not sent.
 */
const OPEN_FAULTS: ReadonlySet<DatabaseFault | undefined> = new Set([
  'silent',
  'pool_exhausted',
  'unreachable',
  'starting',
  'connection_broken',
]);

/** Whether a connection failed, so that the statement may or may not have been committed. */
export const isConnectionError = (error: unknown): boolean =>
  OPEN_FAULTS.has(databaseFaultOf(error));
