/** The queue is full, or the caller waited too long. The API answers 503. */
export class OverloadedError extends Error {
  override name = 'OverloadedError';
}
