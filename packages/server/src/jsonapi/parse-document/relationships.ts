import { isUuid } from '../../kernel/ids.ts';
import type { Model, RelationModel } from '../model.ts';
import type { WriteOperation } from './attributes.ts';
import { type Issues, pointerPart } from './issues.ts';
import { isObject, type JsonObject } from './json-body.ts';

type Ids = Record<string, string | null>;

/** Checks the relationships of a document; the result holds the ids of those that were sent. */
export function checkRelationships(
  model: Model,
  operation: WriteOperation,
  given: unknown,
  issues: Issues,
): Ids {
  if (given !== undefined && !isObject(given)) {
    issues.add('invalid_document', '/data/relationships', 'relationships must be an object.');
    return {};
  }
  const ids = checkSent(model, operation, given ?? {}, issues);
  if (operation === 'create') checkRequired(model, given ?? {}, issues);
  return ids;
}

function checkSent(
  model: Model,
  operation: WriteOperation,
  given: JsonObject,
  issues: Issues,
): Ids {
  const ids: Ids = {};
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith('@')) continue;
    const pointer = `/data/relationships/${pointerPart(name)}`;
    const relation = model.relations.get(name);
    if (!relation) {
      issues.add(
        'unknown_relationship',
        pointer,
        `${model.type} has no relationship of this name.`,
      );
    } else if (relation.many || !relation.definition[operation]) {
      issues.add('read_only', pointer, `${name} cannot be set here.`);
    } else {
      const id = checkLinkage(relation, value, pointer, issues);
      if (id !== undefined) ids[name] = id;
    }
  }
  return ids;
}

/** The id that a relationship object names, null where it clears, undefined where it is wrong. */
function checkLinkage(
  { name, target, definition }: RelationModel,
  value: unknown,
  pointer: string,
  issues: Issues,
): string | null | undefined {
  if (!isObject(value) || value.data === undefined) {
    issues.add('invalid_document', pointer, `${name} must be an object with the member data.`);
  } else if (value.data === null) {
    if (definition.create !== 'required') return null;
    issues.add('blank', pointer, `${name} must name a record.`);
  } else if (
    !isObject(value.data) ||
    typeof value.data.id !== 'string' ||
    typeof value.data.type !== 'string'
  ) {
    issues.add(
      'invalid_document',
      `${pointer}/data`,
      `${name} must name one record by type and id.`,
    );
  } else if (value.data.type !== target.type) {
    issues.add(
      'type_conflict',
      `${pointer}/data/type`,
      `${name} takes a record of ${target.type}.`,
    );
  } else if (!isUuid(value.data.id)) {
    issues.add(
      'relationship_not_found',
      pointer,
      `${name} names a record that was not found or that the token may not use.`,
    );
  } else {
    return value.data.id.toLowerCase();
  }
  return undefined;
}

function checkRequired(model: Model, given: JsonObject, issues: Issues): void {
  for (const { name, definition } of model.relations.values()) {
    if (definition.create === 'required' && given[name] === undefined) {
      issues.add('blank', `/data/relationships/${name}`, `${name} must name a record.`);
    }
  }
}
