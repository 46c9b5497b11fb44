/** Member names in a JSON Pointer, outermost first. Source: RFC 6901. */
export const namesOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Member of an object at a JSON Pointer; undefined without one. */
export const memberAt = (value: unknown, pointer: string): unknown =>
  namesOf(pointer).reduce<unknown>((member, name) => ownMember(member, name)[0], value);

/** Members at a JSON Pointer. A list stands for each of its items, as XML repeats an element. */
export const membersAt = (value: unknown, pointer: string): unknown[] =>
  namesOf(pointer)
    .reduce<unknown[]>(
      (members, name) => members.flatMap(itemsOf).flatMap((member) => ownMember(member, name)),
      [value],
    )
    .flatMap(itemsOf);

const itemsOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value.flatMap(itemsOf) : [value];

const ownMember = (value: unknown, name: string): unknown[] =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? [(value as Record<string, unknown>)[name]]
    : [];
