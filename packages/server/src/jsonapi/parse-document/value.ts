import type { Field } from '@florin/contract/resources/define-resource.ts';
import { unknownName } from '../unknown-name.ts';
import { isStorableJson, UNSTORABLE } from '../values/text.ts';
import { encodePointerSegment, type Issues } from './issues.ts';
import { isObject, type JsonObject } from './json-body.ts';
import { metadataErrors } from './metadata-errors.ts';
import { checkText, type ValueError } from './text-value.ts';

/** Maximum characters of a free-form object's JSON text. */
const FREE_OBJECT_MAX = 16_384;
/** Defaults for `strings`: maximum length of a member, and maximum number of members. */
export const STRINGS_MEMBER_MAX = 255;
export const ITEMS_MAX = 100;

/** These limits are part of their errors' titles, so the errors have codes of their own. */
const TITLED_MIN_ITEMS = 1;
const TITLED_MAX_INTEGER = 100;

export type WriteOperation = 'create' | 'update';

/** A value's position in a document. */
interface ValueLocation {
  readonly pointer: string;
  readonly name: string;
  readonly issues: Issues;
  /** In an update, nested objects may contain server-set members. The type's own rules check those. */
  readonly operation?: WriteOperation;
}

/** Value for a missing member: its default, or null. */
const absentValue = (field: Field): unknown => field.default ?? null;

/**
 * Checks a value against its field and normalises it. Empty text counts as null. On failure adds validation
 * errors to the issues and returns undefined.
 */
export function checkValue(field: Field, sentValue: unknown, location: ValueLocation): unknown {
  const value = sentValue === '' ? null : sentValue;
  if (value !== null) return checkPresent(field, value, location);
  if (field.create === 'required') return refuseValue(location, ['blank', 'must have a value']);
  return absentValue(field);
}

function checkPresent(field: Field, value: unknown, location: ValueLocation): unknown {
  switch (field.type) {
    case 'integer':
      return checkInteger(field, value, location);
    case 'boolean':
      return typeof value === 'boolean'
        ? value
        : refuseValue(location, ['invalid', 'must be true or false']);
    case 'strings':
      return checkItems(field, value, location, checkMember);
    case 'objects':
      return checkItems(field, value, location, checkObject);
    case 'object':
      return checkObject(field, value, location);
    case 'metadata':
      return checkMetadata(value, location);
    default:
      return checkString(field, value, location);
  }
}

function refuseValue(
  { issues, pointer, name }: ValueLocation,
  [code, predicate, limit]: ValueError,
): undefined {
  issues.add(code, pointer, `${name} ${predicate}.`, limit);
}

function checkString(field: Field, value: unknown, location: ValueLocation): unknown {
  if (typeof value !== 'string') return refuseValue(location, ['invalid', 'must be text']);
  if (field.create === 'required' && value.trim() === '') {
    return refuseValue(location, ['blank', 'must have a value']);
  }
  const textResult = checkText(field, value);
  return 'flaw' in textResult ? refuseValue(location, textResult.flaw) : textResult.value;
}

function checkInteger(
  { min, max, range_hint }: Field,
  value: unknown,
  location: ValueLocation,
): unknown {
  const hint = range_hint ? `: ${range_hint}` : '';
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    return refuseValue(location, ['invalid', 'must be an integer']);
  }
  if (min !== undefined && value < min)
    return refuseValue(location, ['too_small', `must be at least ${min}${hint}`, min]);
  if (max !== undefined && value > max) {
    const code = max === TITLED_MAX_INTEGER ? 'over_limit' : 'too_large';
    return refuseValue(location, [code, `must be at most ${max}${hint}`, max]);
  }
  return value;
}

type CheckItem = (field: Field, item: unknown, location: ValueLocation) => unknown;

function checkItems(
  field: Field,
  value: unknown,
  location: ValueLocation,
  checkItem: CheckItem,
): unknown {
  if (!Array.isArray(value)) return refuseValue(location, ['invalid', 'must be an array']);
  const { min = 0, max = ITEMS_MAX } = field;
  if (value.length < min) {
    const code = min === TITLED_MIN_ITEMS ? 'too_few_items' : 'too_short';
    return refuseValue(location, [
      code,
      `must have at least ${min} ${min === 1 ? 'item' : 'items'}`,
      min,
    ]);
  }
  if (value.length > max)
    return refuseValue(location, ['too_long', `must have at most ${max} items`, max]);
  return value.map((item: unknown, index) =>
    checkItem(field, item, {
      ...location,
      pointer: `${location.pointer}/${index}`,
      name: `${location.name} ${index}`,
    }),
  );
}

const checkMember: CheckItem = (field, item, location) =>
  checkString(memberOf(field), item, location);

function memberOf({ values, each }: Field): Field {
  if (values) return { type: 'enum', values };
  return each ? { type: each } : { type: 'string', min: 1, max: STRINGS_MEMBER_MAX };
}

function checkObject({ members }: Field, value: unknown, location: ValueLocation): unknown {
  if (!isObject(value)) return refuseValue(location, ['invalid', 'must be an object']);
  if (members) return checkMembers(members, value, location);
  if (!isStorableJson(value)) return refuseValue(location, ['invalid', UNSTORABLE]);
  if (JSON.stringify(value).length <= FREE_OBJECT_MAX) return value;
  const predicate = `must have at most ${FREE_OBJECT_MAX} characters of JSON`;
  return refuseValue(location, ['too_long', predicate, FREE_OBJECT_MAX]);
}

function checkMetadata(value: unknown, location: ValueLocation): unknown {
  if (!isObject(value)) return refuseValue(location, ['invalid', 'must be an object']);
  for (const { name, flaw } of metadataErrors(value)) {
    const member = {
      pointer: `${location.pointer}/${encodePointerSegment(name)}`,
      name: `Member ${name}`,
    };
    refuseValue(name === '' ? location : { ...location, ...member }, flaw);
  }
  return value;
}

/** Updates replace nested objects completely: they may set what a create may, and missing members get defaults. */
function checkMembers(
  members: Readonly<Record<string, Field>>,
  value: JsonObject,
  location: ValueLocation,
): unknown {
  const locationOf = (name: string): ValueLocation => ({
    ...location,
    pointer: `${location.pointer}/${encodePointerSegment(name)}`,
    name,
  });
  for (const name of Object.keys(value)) {
    if (name.startsWith('@')) continue;
    if (!Object.hasOwn(members, name)) {
      const detail = unknownName(location.name, 'member', name, settableNames(members));
      location.issues.add('unknown_attribute', locationOf(name).pointer, detail);
    } else if (!members[name]?.create && value[name] !== null && location.operation !== 'update') {
      refuseValue(locationOf(name), ['read_only', 'cannot be set']);
    }
  }
  return Object.fromEntries(
    Object.entries(members)
      .filter(([name, { create }]) => create || (value[name] ?? null) !== null)
      .map(([name, field]) => [name, checkValue(field, value[name] ?? null, locationOf(name))]),
  );
}

const settableNames = (members: Readonly<Record<string, Field>>): string[] =>
  Object.keys(members).filter((name) => members[name]?.create);
