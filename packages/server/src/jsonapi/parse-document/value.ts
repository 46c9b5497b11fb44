import type { Field } from '@florin/contract/resources/define-resource.ts';
import { unknownName } from '../unknown-name.ts';
import { isStorableJson, UNSTORABLE } from '../values/text.ts';
import { type Issues, pointerPart } from './issues.ts';
import { isObject, type JsonObject } from './json-body.ts';
import { metadataFlaws } from './metadata-flaws.ts';
import { checkText, type Flaw } from './text-value.ts';

/** Length of the JSON text of a free-form object, whose members no definition names. */
const FREE_OBJECT_MAX = 16_384;
/** Length of one member of `strings`, and number of members, without a limit in the definition. */
export const STRINGS_MEMBER_MAX = 255;
export const ITEMS_MAX = 100;

/** The titles of these limits contain their number, so they have codes of their own. */
const TITLED_MIN_ITEMS = 1;
const TITLED_MAX_INTEGER = 100;

export type WriteOperation = 'create' | 'update';

/** One value of a document, with the place where it stands. */
interface Place {
  readonly pointer: string;
  readonly name: string;
  readonly issues: Issues;
  /**
   * An update may send back server-set members of nested objects; the type's own rules check them.
   */
  readonly operation?: WriteOperation;
}

/** Value of a missing member: its default, or null. */
const absentValue = (field: Field): unknown => field.default ?? null;

/**
 * Checks a value against its field and normalises it; empty text is no value. Adds errors to the
 * issues and then returns undefined.
 */
export function checkValue(field: Field, given: unknown, place: Place): unknown {
  const value = given === '' ? null : given;
  if (value !== null) return checkPresent(field, value, place);
  if (field.create === 'required') return flawed(place, ['blank', 'must have a value']);
  return absentValue(field);
}

function checkPresent(field: Field, value: unknown, place: Place): unknown {
  switch (field.type) {
    case 'integer':
      return checkInteger(field, value, place);
    case 'boolean':
      return typeof value === 'boolean'
        ? value
        : flawed(place, ['invalid', 'must be true or false']);
    case 'strings':
      return checkItems(field, value, place, checkMember);
    case 'objects':
      return checkItems(field, value, place, checkObject);
    case 'object':
      return checkObject(field, value, place);
    case 'metadata':
      return checkMetadata(value, place);
    default:
      return checkString(field, value, place);
  }
}

function flawed({ issues, pointer, name }: Place, [code, predicate, limit]: Flaw): undefined {
  issues.add(code, pointer, `${name} ${predicate}.`, limit);
}

function checkString(field: Field, value: unknown, place: Place): unknown {
  if (typeof value !== 'string') return flawed(place, ['invalid', 'must be text']);
  if (field.create === 'required' && value.trim() === '') {
    return flawed(place, ['blank', 'must have a value']);
  }
  const checked = checkText(field, value);
  return 'flaw' in checked ? flawed(place, checked.flaw) : checked.value;
}

function checkInteger({ min, max }: Field, value: unknown, place: Place): unknown {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    return flawed(place, ['invalid', 'must be an integer']);
  }
  if (min !== undefined && value < min)
    return flawed(place, ['too_small', `must be at least ${min}`, min]);
  if (max !== undefined && value > max) {
    const code = max === TITLED_MAX_INTEGER ? 'over_limit' : 'too_large';
    return flawed(place, [code, `must be at most ${max}`, max]);
  }
  return value;
}

type CheckItem = (field: Field, item: unknown, place: Place) => unknown;

function checkItems(field: Field, value: unknown, place: Place, checkItem: CheckItem): unknown {
  if (!Array.isArray(value)) return flawed(place, ['invalid', 'must be an array']);
  const { min = 0, max = ITEMS_MAX } = field;
  if (value.length < min) {
    const code = min === TITLED_MIN_ITEMS ? 'too_few_items' : 'too_short';
    return flawed(place, [code, `must have at least ${min} item(s)`, min]);
  }
  if (value.length > max) return flawed(place, ['too_long', `must have at most ${max} items`, max]);
  return value.map((item: unknown, index) =>
    checkItem(field, item, {
      ...place,
      pointer: `${place.pointer}/${index}`,
      name: `${place.name} ${index}`,
    }),
  );
}

const checkMember: CheckItem = (field, item, place) => checkString(memberOf(field), item, place);

function memberOf({ values, each }: Field): Field {
  if (values) return { type: 'enum', values };
  return each ? { type: each } : { type: 'string', min: 1, max: STRINGS_MEMBER_MAX };
}

function checkObject({ members }: Field, value: unknown, place: Place): unknown {
  if (!isObject(value)) return flawed(place, ['invalid', 'must be an object']);
  if (members) return checkMembers(members, value, place);
  if (!isStorableJson(value)) return flawed(place, ['invalid', UNSTORABLE]);
  if (JSON.stringify(value).length <= FREE_OBJECT_MAX) return value;
  const predicate = `has more than ${FREE_OBJECT_MAX} characters of JSON`;
  return flawed(place, ['too_long', predicate, FREE_OBJECT_MAX]);
}

function checkMetadata(value: unknown, place: Place): unknown {
  if (!isObject(value)) return flawed(place, ['invalid', 'must be an object']);
  for (const { name, flaw } of metadataFlaws(value)) {
    const member = { pointer: `${place.pointer}/${pointerPart(name)}`, name: `Member ${name}` };
    flawed(name === '' ? place : { ...place, ...member }, flaw);
  }
  return value;
}

/**
 * Nested objects are replaced whole: an update may set what a create may, and missing members get
 * defaults.
 */
function checkMembers(
  members: Readonly<Record<string, Field>>,
  value: JsonObject,
  place: Place,
): unknown {
  const at = (name: string): Place => ({
    ...place,
    pointer: `${place.pointer}/${pointerPart(name)}`,
    name,
  });
  for (const name of Object.keys(value)) {
    if (name.startsWith('@')) continue;
    if (!Object.hasOwn(members, name)) {
      const detail = unknownName(place.name, 'member', name, settable(members));
      place.issues.add('unknown_attribute', at(name).pointer, detail);
    } else if (!members[name]?.create && value[name] !== null && place.operation !== 'update') {
      flawed(at(name), ['read_only', 'cannot be set']);
    }
  }
  return Object.fromEntries(
    Object.entries(members)
      .filter(([name, { create }]) => create || (value[name] ?? null) !== null)
      .map(([name, field]) => [name, checkValue(field, value[name] ?? null, at(name))]),
  );
}

const settable = (members: Readonly<Record<string, Field>>): string[] =>
  Object.keys(members).filter((name) => members[name]?.create);
