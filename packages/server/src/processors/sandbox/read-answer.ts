import type { Unknown, WireAnswer } from '../message.ts';

const OK = 200;
const NOT_FOUND = 404;
/** Statuses that blame the message itself, not the time or rate of sending. */
const MESSAGE_FAULTS = new Set([400, 413, 415, 422]);

export const unknown = (why: string): Unknown => ({ result: 'unknown', why });

/** Whether an inquiry's response says that its reference is unknown. */
export const isNotFound = (answer: WireAnswer): boolean =>
  answer.outcome === 'answered' && answer.status === NOT_FOUND;

/** Whether the processor refuses the message as it is. */
export const isRefused = (status: number): boolean => MESSAGE_FAULTS.has(status);

/**
 * Body of a successful response as `Body`, whose members are unchecked. Undefined for any other
 * response, and for one with another reference.
 */
export function bodyOf<Body extends object>(
  status: number,
  body: unknown,
  asked?: string,
): Partial<Body> | undefined {
  if (status !== OK || typeof body !== 'object' || body === null) return undefined;
  const { reference } = body as { readonly reference?: unknown };
  return asked === undefined || reference === asked ? (body as Partial<Body>) : undefined;
}

/** Form of a network's identifiers and codes: short, printable, nothing to escape. */
const TOKEN = /^[\w.:+/=-]{1,64}$/;

export const isToken = (value: unknown): value is string =>
  typeof value === 'string' && TOKEN.test(value);
