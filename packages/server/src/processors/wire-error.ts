/** Whether a request failed while connecting, so that no byte of it can have arrived. */
export function failedToConnect(error: unknown): boolean {
  // A connection that was tried on several addresses fails with several errors.
  if (error instanceof AggregateError) return true;
  const { syscall, code } = error as NodeJS.ErrnoException;
  return syscall === 'connect' || syscall === 'getaddrinfo' || code === 'UND_ERR_CONNECT_TIMEOUT';
}

/** Short name of an error; never its message, which may repeat what was sent. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, name }: NodeJS.ErrnoException = error;
  return typeof code === 'string' ? code : name;
}
