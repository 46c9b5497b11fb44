import { type CardField, type CardFields, cardFields } from '@florin/contract/protocol/vault.ts';
import { badRequest } from '../kernel/errors.ts';
import { toId, toObject } from './input.ts';

const POINTER_CHARS_MAX = 256;
const CARD_FIELDS_MAX = 16;
const SECRET_FIELDS_MAX = 8;

const isCardField = (value: unknown): value is CardField =>
  (cardFields as readonly unknown[]).includes(value);

/** Parses places of a body for card data, by JSON Pointer. `name` is their location in the request. */
export function toCardFields(value: unknown, name: string): CardFields {
  return Object.fromEntries(
    toPointerEntries(value, name, CARD_FIELDS_MAX).map(([pointer, field]) => {
      if (!isCardField(field)) throw badRequest(`${name} must hold ${cardFields.join(', ')} only.`);
      return [pointer, field];
    }),
  );
}

/** Parses places of a body for secrets: their names by JSON Pointer. */
export const toSecretFields = (value: unknown, name: string): Record<string, string> =>
  Object.fromEntries(
    toPointerEntries(value, name, SECRET_FIELDS_MAX).map(([pointer, secret]) => [
      pointer,
      toId(secret, `${name}.${pointer}`),
    ]),
  );

function toPointerEntries(value: unknown, name: string, max: number): [string, unknown][] {
  const entries = Object.entries(toObject(value, name));
  if (entries.length > max) throw badRequest(`${name} must name at most ${max}.`);
  if (entries.some(([pointer]) => !isPointer(pointer)))
    throw badRequest(
      `${name} must have JSON pointers of 2 to ${POINTER_CHARS_MAX} printable characters.`,
    );
  return entries;
}

/** Operators read pointers in a terminal, so they have no separators and no control characters. */
const isPointer = (text: string): boolean =>
  text.length <= POINTER_CHARS_MAX && /^\/[^\p{C}\p{Z}]+$/u.test(text);
