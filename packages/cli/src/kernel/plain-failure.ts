/** Failure with one sentence for the person at the terminal: the problem and what to do about it. */
export class PlainFailure extends Error {
  override name = 'PlainFailure';
}

/** Returns the sentence of a `PlainFailure`, or the stack of any other error. */
export function describeFailure(error: unknown): string {
  if (error instanceof PlainFailure) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
