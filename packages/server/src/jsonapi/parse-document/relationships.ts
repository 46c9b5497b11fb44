import { isUuid } from '../../platform/ids.ts';
import type { Model, RelationModel } from '../model.ts';
import { unknownName } from '../unknown-name.ts';
import type { SplitMembers } from './attributes.ts';
import { encodePointerSegment, type Issues } from './issues.ts';
import { isObject, isWithoutData, type JsonObject } from './json-body.ts';
import type { WriteOperation } from './value.ts';

type Ids = Record<string, string | readonly string[] | null>;

/** Maximum number of records in one to-many relationship of a document. */
export const LINKAGE_MAX = 500;

/** Checks the relationships of a document. Returns the ids of writable relationships. */
export function checkRelationships(
  model: Model,
  operation: WriteOperation,
  relationshipsMember: unknown,
  issues: Issues,
): SplitMembers<Ids[string], JsonObject> {
  if (relationshipsMember !== undefined && !isObject(relationshipsMember)) {
    issues.add('invalid_document', '/data/relationships', 'relationships must be an object.');
    return { written: {}, read_only: {} };
  }
  const members = Object.fromEntries(
    Object.entries(relationshipsMember ?? {}).filter(
      ([name, value]) => !name.startsWith('@') && !isWithoutData(value),
    ),
  );
  const relationships = checkSent(model, operation, members, issues);
  if (operation === 'create') checkRequired(model, members, issues);
  return relationships;
}

function checkSent(
  model: Model,
  operation: WriteOperation,
  sentRelationships: JsonObject,
  issues: Issues,
): SplitMembers<Ids[string], JsonObject> {
  const written: Ids = {};
  const read_only: Record<string, JsonObject> = {};
  for (const [name, value] of Object.entries(sentRelationships)) {
    const pointer = `/data/relationships/${encodePointerSegment(name)}`;
    const relation = model.relations.get(name);
    if (!relation) {
      issues.add(
        'unknown_relationship',
        pointer,
        unknownName(model.type, 'relationship', name, model.relations.keys()),
      );
    } else if (relation.definition[operation]) {
      const check = relation.many ? checkManyLinkage : checkLinkage;
      const id = check(relation, value, pointer, issues);
      if (id !== undefined) written[name] = id;
    } else if (operation === 'update' && isObject(value)) read_only[name] = value;
    else if (!isEmpty(value))
      issues.add('read_only', pointer, `${name} cannot be set. Leave the relationship out.`);
  }
  return { written, read_only };
}

/** Whether a relationship object references no record. */
const isEmpty = (value: unknown): boolean =>
  isObject(value) &&
  (value.data === null || (Array.isArray(value.data) && value.data.length === 0));

/** Ids of a to-many relationship object without duplicates; undefined if malformed. */
function checkManyLinkage(
  relation: RelationModel,
  value: unknown,
  pointer: string,
  issues: Issues,
): readonly string[] | undefined {
  const { name } = relation;
  if (!isObject(value) || !Array.isArray(value.data)) {
    issues.add('invalid_document', pointer, `${name} must be an object with an array as data.`);
    return undefined;
  }
  if (value.data.length > LINKAGE_MAX) {
    issues.add(
      'too_long',
      pointer,
      `${name} must name at most ${LINKAGE_MAX} records.`,
      LINKAGE_MAX,
    );
    return undefined;
  }
  const ids = value.data.map((identifier: unknown, at) =>
    checkIdentifier(relation, identifier, pointer, `${pointer}/data/${at}`, issues),
  );
  return [...new Set(ids.filter((id) => id !== undefined))];
}

/** Id in a relationship object; null clears the relationship, undefined is malformed. */
function checkLinkage(
  relation: RelationModel,
  value: unknown,
  pointer: string,
  issues: Issues,
): string | null | undefined {
  const { name, definition } = relation;
  if (!isObject(value) || value.data === undefined) {
    issues.add('invalid_document', pointer, `${name} must be an object with the member data.`);
  } else if (value.data === null) {
    if (definition.create !== 'required') return null;
    issues.add('blank', pointer, `${name} must name a record by type and id.`);
  } else {
    return checkIdentifier(relation, value.data, pointer, `${pointer}/data`, issues);
  }
  return undefined;
}

/** Id of the resource identifier at `identifierPointer` in the relationship at `pointer`. */
function checkIdentifier(
  { name, target }: RelationModel,
  value: unknown,
  pointer: string,
  identifierPointer: string,
  issues: Issues,
): string | undefined {
  if (!isObject(value) || typeof value.id !== 'string' || typeof value.type !== 'string') {
    issues.add(
      'invalid_document',
      identifierPointer,
      `${name} must name one record by type and id.`,
    );
  } else if (value.type !== target.type) {
    issues.add(
      'type_conflict',
      `${identifierPointer}/type`,
      unknownName(name, 'type', value.type, [target.type]),
    );
  } else if (!isUuid(value.id)) {
    issues.add(
      'relationship_not_found',
      pointer,
      `${name} names a record that does not exist or that the key may not use.`,
    );
  } else {
    return value.id.toLowerCase();
  }
  return undefined;
}

function checkRequired(model: Model, sentRelationships: JsonObject, issues: Issues): void {
  for (const { name, definition } of model.relations.values()) {
    if (definition.create === 'required' && sentRelationships[name] === undefined) {
      issues.add(
        'blank',
        `/data/relationships/${name}`,
        `${name} must name a record by type and id.`,
      );
    }
  }
}
