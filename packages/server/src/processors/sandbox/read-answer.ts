import type { Unknown, WireAnswer } from '../message.ts';

const OK = 200;
const NOT_FOUND = 404;
/** The message itself is at fault, rather than when or how often it was sent. */
const MESSAGE_FAULTS = new Set([400, 413, 415, 422]);

export const unknown = (why: string): Unknown => ({ result: 'unknown', why });

/** Whether an inquiry was answered that its reference is not known. */
export const isNotFound = (answer: WireAnswer): boolean =>
  answer.outcome === 'answered' && answer.status === NOT_FOUND;

/** Whether a message was answered that it cannot be taken as it is. */
export const isRefused = (status: number): boolean => MESSAGE_FAULTS.has(status);

/**
 * The body of a good answer as `Body`, whose members are still to be checked; undefined for any other, and for one that is
 * about another reference than was asked.
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

/** What an identifier or code of a network looks like: short, printable and without anything that needs escaping. */
const TOKEN = /^[\w.:+/=-]{1,64}$/;

export const isToken = (value: unknown): value is string =>
  typeof value === 'string' && TOKEN.test(value);
