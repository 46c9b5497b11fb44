import { namesOf } from '@florin/contract/protocol/json-pointer.ts';
import { isObject } from '../http/input.ts';
import type { FilledValue } from './card-value.ts';
import { RelayRefusal } from './refusal.ts';

/** A position of a body that the vault fills. */
export interface Placeholder {
  /** JSON Pointer (RFC 6901) to a null member of an object. */
  readonly pointer: string;
  /** Name of the value, for errors. */
  readonly name: string;
  readonly value: FilledValue;
}

/**
 * Copies `body` with the values of the placeholders. Members without a value are undefined, which every codec omits.
 * Throws `body_unusable`, which names the placeholder, if its pointer leads to anything but a null member of an object.
 */
export const fillBody = (body: unknown, placeholders: readonly Placeholder[]): unknown =>
  placeholders.reduce(
    (filledBody, placeholder) => fillMember(filledBody, namesOf(placeholder.pointer), placeholder),
    body,
  );

function fillMember(
  value: unknown,
  [name, ...innerNames]: readonly string[],
  placeholder: Placeholder,
): unknown {
  if (name === undefined) {
    if (value === null) return placeholder.value;
  } else if (isObject(value) && Object.hasOwn(value, name)) {
    const copy: Record<string, unknown> = { ...value };
    copy[name] = fillMember(value[name], innerNames, placeholder);
    return copy;
  }
  throw new RelayRefusal(
    'body_unusable',
    `The placeholder ${placeholder.name} at ${placeholder.pointer} is not a null member of the body.`,
  );
}
