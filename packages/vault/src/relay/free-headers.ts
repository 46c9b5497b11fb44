import { badRequest } from '../kernel/errors.ts';

/** Headers that the sender sets itself. A caller's value could contradict the bytes that are sent. */
const RESERVED_HEADERS = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  // A part of a file could have half a card number, which no mask finds.
  'if-range',
  'keep-alive',
  'range',
  'transfer-encoding',
  'upgrade',
]);

/** Throws for a header that the sender sets itself. */
export function requireFreeHeader(name: string, at: string): void {
  if (RESERVED_HEADERS.has(name.toLowerCase()))
    throw badRequest(`${at} must not set ${name.toLowerCase()}.`);
}
