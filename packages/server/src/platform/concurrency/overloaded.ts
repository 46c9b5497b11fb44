/** More callers wait than a queue may hold, or one waited too long. The interface answers 503. */
export class OverloadedError extends Error {
  override name = 'OverloadedError';
}
