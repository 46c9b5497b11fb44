/** A reason to stop, in one sentence for the person at the terminal: what is wrong and what to do about it. */
export class PlainFailure extends Error {
  override name = 'PlainFailure';
}

/** What to print for any error: the sentence of a `PlainFailure`, the stack of a surprise. */
export function describeFailure(error: unknown): string {
  if (error instanceof PlainFailure) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
