/**
 * Whether PostgreSQL can store the text and JSON can carry it: no NUL, no half of a surrogate pair.
 */
export const isStorable = (text: string): boolean =>
  text.isWellFormed() && !text.includes('\u0000');

/** The validation error of unstorable text. */
export const UNSTORABLE = 'must not contain NUL (U+0000) or half of a surrogate pair';

/** Makes text storable: replaces each NUL and each unpaired surrogate with a replacement character. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/** Length in code points, as PostgreSQL and people count. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Whether all keys and values of a JSON value are storable, at any depth. */
export function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, member]) => isStorable(key) && isStorableJson(member));
}
