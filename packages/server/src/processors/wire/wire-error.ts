/** A connection to the vault could not be opened: nothing was sent. */
export class NotConnectedError extends Error {
  override name = 'NotConnectedError';
  readonly code: string;

  constructor(cause: unknown) {
    super('No connection to the vault.', { cause });
    this.code = faultOf(cause);
  }
}

/** Whether a request failed while connecting, so that none of its bytes arrived. */
export function failedToConnect(error: unknown): boolean {
  if (error instanceof NotConnectedError) return true;
  // A connection attempt to several addresses fails with an AggregateError.
  if (error instanceof AggregateError) return true;
  const { syscall, code } = error as NodeJS.ErrnoException;
  return syscall === 'connect' || syscall === 'getaddrinfo' || code === 'UND_ERR_CONNECT_TIMEOUT';
}

/** Short code of an error. Never its message, which may contain request data. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, name }: NodeJS.ErrnoException = error;
  return typeof code === 'string' ? code : name;
}
