import { isDeepStrictEqual } from 'node:util';
import type { Field } from '@florin/contract/resources/define-resource.ts';
import type { Model } from '../model.ts';
import { unknownName } from '../unknown-name.ts';
import { encodePointerSegment, type Issues } from './issues.ts';
import { isObject, isWithoutData, type JsonObject } from './json-body.ts';
import { checkValue, type WriteOperation } from './value.ts';

/** Members of a document, split into writable and read-only ones. */
export interface SplitMembers<Value, ReadOnly> {
  readonly written: Readonly<Record<string, Value>>;
  /** Read-only members with the sent values. */
  readonly read_only: Readonly<Record<string, ReadOnly>>;
}

/** Attributes of a document. */
interface CheckedAttributes extends SplitMembers<unknown, unknown> {
  /** Values under old names that differ from those of the new names, by new name. */
  readonly old_values: Readonly<Record<string, unknown>>;
}

/**
 * Checks the attributes of a document and normalises the writable ones. A value under an old name is written under the
 * new name. If both are sent and differ, the old name counts as read-only; a create is refused.
 */
export function checkAttributes(
  model: Model,
  operation: WriteOperation,
  attributesMember: unknown,
  issues: Issues,
): CheckedAttributes {
  const sentAttributes = attributesObject(attributesMember, issues);
  if (!sentAttributes) return { written: {}, read_only: {}, old_values: {} };
  const attributes = checkSent(model, operation, sentAttributes, issues);
  if (operation === 'create') checkRequired(model, attributes, issues);
  return attributes;
}

/** Attributes of a document; undefined if `attributes` is not an object. */
function attributesObject(attributesMember: unknown, issues: Issues): JsonObject | undefined {
  if (attributesMember === undefined || isObject(attributesMember)) return attributesMember ?? {};
  issues.add('invalid_document', '/data/attributes', 'attributes must be an object.');
  return undefined;
}

function checkSent(
  model: Model,
  operation: WriteOperation,
  sentAttributes: JsonObject,
  issues: Issues,
): CheckedAttributes {
  const written: Record<string, unknown> = {};
  const read_only: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(sentAttributes)) {
    if (name.startsWith('@')) continue;
    if (model.relations.has(name) && isWithoutData(value)) continue;
    const pointer = `/data/attributes/${encodePointerSegment(name)}`;
    const field = model.fields.get(name)?.definition;
    if (!field && operation === 'update' && RESOURCE_MEMBERS.has(name)) read_only[name] = value;
    else if (!field) {
      issues.add('unknown_attribute', pointer, unknownAttribute(model, operation, name));
    } else if (field[operation]) {
      written[name] = checkValue(field, value, { pointer, name, issues, operation });
    } else if (operation === 'update') read_only[name] = value;
    else if (value !== null) {
      issues.add('read_only', pointer, `${name} ${readOnlyReason(field)}.`);
    }
  }
  return { read_only, ...withNewNames(model, operation, written, { read_only, issues }) };
}

/** Moves values from old names to new ones. If both have different values, the old name becomes read-only. */
function withNewNames(
  model: Model,
  operation: WriteOperation,
  checkedAttributes: Readonly<Record<string, unknown>>,
  { read_only, issues }: { readonly read_only: Record<string, unknown>; readonly issues: Issues },
): Pick<CheckedAttributes, 'written' | 'old_values'> {
  const written: Record<string, unknown> = {};
  const old_values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(checkedAttributes)) {
    const newName = model.fields.get(name)?.definition.deprecated_for;
    if (!newName) written[name] = value;
    else if (!(newName in checkedAttributes)) written[newName] = value;
    else if (isDeepStrictEqual(value, checkedAttributes[newName])) continue;
    else if (operation === 'update') [read_only[name], old_values[newName]] = [value, value];
    else {
      const detail = `${name} is the old name of ${newName}. Send ${newName} only.`;
      issues.add('read_only', `/data/attributes/${name}`, detail);
    }
  }
  return { written, old_values };
}

/** Members of a resource object that some clients send among its attributes. */
const RESOURCE_MEMBERS: ReadonlySet<string> = new Set(['links', 'meta']);

/** Checks the attributes of an action's document against the action's fields. */
export function checkActionAttributes(
  fields: Readonly<Record<string, Field>>,
  attributesMember: unknown,
  issues: Issues,
): Record<string, unknown> {
  const attributes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(attributesObject(attributesMember, issues) ?? {})) {
    const pointer = `/data/attributes/${encodePointerSegment(name)}`;
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field) attributes[name] = checkValue(field, value, { pointer, name, issues });
    else {
      const detail = unknownName('The action', 'attribute', name, Object.keys(fields));
      issues.add('unknown_attribute', pointer, detail);
    }
  }
  return attributes;
}

function unknownAttribute(model: Model, operation: WriteOperation, name: string): string {
  for (const relation of [name, name.replace(/_id$/, '')]) {
    if (model.relations.get(relation)?.definition[operation])
      return `${relation} is a relationship. Send it in relationships, by type and id.`;
  }
  return unknownName(model.type, 'attribute', name, settableNames(model, operation));
}

const settableNames = (model: Model, operation: WriteOperation): string[] =>
  [...model.fields.values()]
    .filter(({ definition }) => definition[operation] && !definition.deprecated_for)
    .map(({ name }) => name);

const readOnlyReason = ({ update }: Field): string =>
  update
    ? 'can only be set by an update. Create the record without it'
    : 'cannot be set by clients. Leave it out';

/** The error points to the missing attribute itself, as existing clients expect. */
function checkRequired(model: Model, { written }: CheckedAttributes, issues: Issues): void {
  for (const { name, definition } of model.fields.values()) {
    const isRequired = definition.create === 'required' && !definition.deprecated_for;
    if (isRequired && !(name in written)) {
      issues.add('blank', `/data/attributes/${name}`, `${name} must have a value.`);
    }
  }
}
