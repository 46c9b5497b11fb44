import { memberAt, namesOf } from './json-pointer.ts';
import type { Login } from './processor-accounts.ts';
import type { RelayCodec } from './vault.ts';

/** Members below which XML is not searched. Bodies are less deep. */
const DEPTH_MAX = 32;

/**
 * Finds a member of a body that could be another login beside that of the rule. Such a member is in the same object, or
 * has a name of another XML namespace. Undefined without one, or if the login is not in the body.
 */
export function findForeignMember(
  body: unknown,
  { body: places = {} }: Login,
  codec: RelayCodec,
): string | undefined {
  const pointers = Object.keys(places);
  if (pointers.length === 0) return undefined;
  for (const parent of new Set(pointers.map(parentOf))) {
    const declared = pointers.filter((pointer) => parentOf(pointer) === parent).map(lastNameOf);
    const names = Object.keys(Object(memberAt(body, parent)));
    const other = names.find((name) => !declared.includes(name));
    if (other !== undefined) return other;
  }
  return codec === 'xml' ? findNamespace(body, 0) : undefined;
}

const parentOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf('/'));
const lastNameOf = (pointer: string): string => namesOf(pointer).at(-1) as string;

/** The root element, at depth 1, may have a namespace. */
function findNamespace(value: unknown, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > DEPTH_MAX) return 'too deep';
  for (const [name, member] of Object.entries(value)) {
    if (name.includes(':') || (name === '@xmlns' && depth > 1)) return name;
    const found = findNamespace(member, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
