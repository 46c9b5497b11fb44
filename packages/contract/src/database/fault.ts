/** Reasons why a statement was not sent or got no response. */
export type DatabaseFault =
  | 'silent'
  | 'pool_exhausted'
  | 'connections_exhausted'
  | 'certificate_not_valid'
  | 'tls_not_supported'
  | 'login_refused'
  | 'starting'
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
const BROKEN = new Set(['ECONNRESET', 'EPIPE']);
/** Node's error codes for certificate problems. */
const CERTIFICATE = /CERT|ERR_TLS|UNABLE_TO_VERIFY|HOSTNAME_MISMATCH|INVALID_CA/;
const LOGIN_REFUSED = /^28[0-9A-Z]{3}$/;
/** Class 53 covers all missing resources; this code is a lack of connections. */
const TOO_MANY_CONNECTIONS = '53300';
/** The database starts, recovers or stops, and accepts no connections. */
const CANNOT_CONNECT_NOW = '57P03';
/** Classes of failed connections and of servers that shut down. */
const ENDED = /^(?:08|57P)/;

/** Messages of `pg`, which gives these errors no code. Database errors have a code and may quote a client's text. */
const messages: readonly (readonly [RegExp, DatabaseFault])[] = [
  [/due to connection timeout/i, 'silent'],
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

/** Why the database cannot be reached. Undefined if the database itself returned the error. */
export function databaseFaultOf(error: unknown): DatabaseFault | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = codeOf(error);
  if (code === TOO_MANY_CONNECTIONS) return 'connections_exhausted';
  if (code === CANNOT_CONNECT_NOW) return 'starting';
  if (code === TIMED_OUT) return 'silent';
  if (UNREACHABLE.has(code)) return 'unreachable';
  if (BROKEN.has(code) || ENDED.test(code)) return 'connection_broken';
  if (LOGIN_REFUSED.test(code)) return 'login_refused';
  if (CERTIFICATE.test(code)) return 'certificate_not_valid';
  return code ? undefined : messages.find(([message]) => message.test(error.message))?.[1];
}

/** Code of an error: an SQLSTATE or a code of Node. */
export const codeOf = (error: unknown): string =>
  String((error as { code?: unknown } | null)?.code ?? '');

/** After these faults the statement may have been executed. With the other faults it was never sent. */
const OPEN_FAULTS: ReadonlySet<DatabaseFault | undefined> = new Set([
  'silent',
  'pool_exhausted',
  'unreachable',
  'starting',
  'connection_broken',
]);

/** Whether a connection failed, so that a statement sent on it may or may not be committed. */
export const isConnectionError = (error: unknown): boolean =>
  OPEN_FAULTS.has(databaseFaultOf(error));
