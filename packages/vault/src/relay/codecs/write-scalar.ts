import { RelayRefusal } from '../refusal.ts';

/** Maximum nesting of a body or response; deeper recursion could exhaust the stack. */
export const BODY_DEPTH_MAX = 32;

/** Location of a value in a body, for refusals: a JSON Pointer. */
const pointerTo = (names: readonly string[]): string =>
  names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Longest pointer in a refusal: a member's name may be as long as its message. */
const POINTER_CHARS_MAX = 256;

/** Refusal of a body that names a position. Never repeats a value. */
export const unusableBody = (names: readonly string[], problem: string): RelayRefusal =>
  new RelayRefusal(
    'body_unusable',
    `The body at ${pointerTo(names).slice(0, POINTER_CHARS_MAX) || '/'} ${problem}.`,
  );

/** Exponents and rounded numbers would mean another amount. */
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;

/** Text of a value in formats without types. Throws `body_unusable` for all but texts, plain numbers, true and false. */
export function textOfScalar(value: unknown, names: readonly string[]): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && PLAIN_NUMBER.test(String(value))) return String(value);
  if (value === null) throw unusableBody(names, 'is null, and no placeholder names it');
  throw unusableBody(names, 'is no text, plain number, true or false');
}
