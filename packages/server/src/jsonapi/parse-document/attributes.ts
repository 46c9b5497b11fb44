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

/**
 * Checks the attributes of a document and normalises the writable ones. A value under an old name is stored under the
 * new name. If both are sent and differ, the old name must be as the record has it.
 */
export function checkAttributes(
  model: Model,
  operation: WriteOperation,
  attributesMember: unknown,
  issues: Issues,
): SplitMembers<unknown, unknown> {
  const sentAttributes = attributesObject(attributesMember, issues);
  if (!sentAttributes) return { written: {}, read_only: {} };
  const attributes = checkSent(model, operation, sentAttributes, issues);
  if (operation === 'create') checkRequired(model, sentAttributes, issues);
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
): SplitMembers<unknown, unknown> {
  const written: Record<string, unknown> = {};
  const read_only: Record<string, unknown> = {};
  const oldNames: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(sentAttributes)) {
    if (name.startsWith('@')) continue;
    if (model.relations.has(name) && isWithoutData(value)) continue;
    const pointer = `/data/attributes/${encodePointerSegment(name)}`;
    const field = model.fields.get(name)?.definition;
    if (!field && operation === 'update' && RESOURCE_MEMBERS.has(name)) read_only[name] = value;
    else if (!field) {
      const names = settableNames(model, operation);
      issues.add('unknown_attribute', pointer, unknownName(model.type, 'attribute', name, names));
    } else if (field[operation]) {
      const checkedValue = checkValue(field, value, { pointer, name, issues, operation });
      if (field.deprecated_for) oldNames[name] = checkedValue;
      else written[name] = checkedValue;
    } else if (operation === 'update') read_only[name] = value;
    else if (value !== null) {
      issues.add('read_only', pointer, `${name} cannot be set ${readOnlyReason(field)}.`);
    }
  }
  for (const [name, value] of Object.entries(oldNames)) {
    const newName = model.fields.get(name)?.definition.deprecated_for as string;
    if (!(newName in written)) written[newName] = value;
    else if (!isDeepStrictEqual(value, written[newName])) read_only[name] = sentAttributes[name];
  }
  return { written, read_only };
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

const settableNames = (model: Model, operation: WriteOperation): string[] =>
  [...model.fields.values()]
    .filter(({ definition }) => definition[operation])
    .map(({ name }) => name);

const readOnlyReason = ({ update }: Field): string =>
  update ? 'before the record exists' : 'by clients';

/** The error points to the missing attribute itself, as existing clients expect. */
function checkRequired(model: Model, sentAttributes: JsonObject, issues: Issues): void {
  for (const { name, definition } of model.fields.values()) {
    if (definition.create === 'required' && sentAttributes[name] === undefined) {
      issues.add('blank', `/data/attributes/${name}`, `${name} must have a value.`);
    }
  }
}
