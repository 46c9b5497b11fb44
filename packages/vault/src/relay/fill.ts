import type { CardFields } from '@florin/contract/protocol/vault.ts';
import { isObject } from '../http/input.ts';
import type { CardSecrets } from './secrets.ts';

/**
 * Copies `body` with card data in the members that `fields` names. Members without a value are undefined,
 * which JSON omits. Throws a `RangeError` for a pointer to anything but a null member of an object.
 */
export const fillCard = (body: unknown, fields: CardFields, secrets: CardSecrets): unknown =>
  Object.entries(fields).reduce(
    (filledBody, [pointer, field]) => fillMember(filledBody, namesOf(pointer), secrets[field]),
    body,
  );

/** Member names in a JSON Pointer, outermost first. */
const namesOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));

function fillMember(
  value: unknown,
  [name, ...innerNames]: readonly string[],
  secret?: string,
): unknown {
  if (name === undefined) {
    if (value === null) return secret;
  } else if (isObject(value) && Object.hasOwn(value, name)) {
    return { ...value, [name]: fillMember(value[name], innerNames, secret) };
  }
  throw new RangeError('A card field does not name a null member of the body.');
}
