import { VaultRefusal } from '../kernel/errors.ts';

const POINTER_CHARS_MAX = 256;

/** Headers that the sender sets itself. A caller's value could contradict the bytes that are sent. */
const RESERVED_HEADERS = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

export const badRequest = (detail: string): VaultRefusal => new VaultRefusal('bad_request', detail);

/** Throws for a header that the sender sets itself. */
export function requireFreeHeader(name: string, at: string): void {
  if (RESERVED_HEADERS.has(name.toLowerCase()))
    throw badRequest(`${at} must not set ${name.toLowerCase()}.`);
}

/** Throws for a text that is no JSON Pointer to a member. */
export function requirePointer(pointer: string, at: string): void {
  if (!pointer.startsWith('/') || pointer.length > POINTER_CHARS_MAX)
    throw badRequest(`${at} must have JSON pointers of 2 to ${POINTER_CHARS_MAX} characters.`);
}
