import type { WireAnswer } from '../port/message.ts';

const OK = 200;
const NOT_FOUND = 404;
/** Statuses that mean an invalid message. Other errors depend on time or rate, so a retry may succeed. */
const MESSAGE_FAULTS = new Set([400, 413, 415, 422]);

/** Whether an inquiry's response means that the processor does not know the reference. */
export const isNotFound = (answer: WireAnswer): boolean =>
  answer.outcome === 'answered' && answer.status === NOT_FOUND;

/** Whether the processor refuses the message's content. */
export const isRefused = (status: number): boolean => MESSAGE_FAULTS.has(status);

/**
 * Body of a successful response as `Body`, with unchecked members. Undefined for other responses, and for a
 * response to another reference.
 */
export function bodyOf<Body extends object>(
  status: number,
  body: unknown,
  expected?: string,
): Partial<Body> | undefined {
  if (status !== OK || typeof body !== 'object' || body === null) return undefined;
  const { reference } = body as { readonly reference?: unknown };
  return expected === undefined || reference === expected ? (body as Partial<Body>) : undefined;
}
