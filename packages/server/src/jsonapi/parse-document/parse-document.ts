import { problem } from '@florin/contract/errors.ts';
import type { WriteInput } from '../behaviour.ts';
import type { Model } from '../model.ts';
import { unknownName } from '../unknown-name.ts';
import { checkActionAttributes, checkAttributes } from './attributes.ts';
import { createIssues, type Issues } from './issues.ts';
import { isObject, type JsonObject, parseJson } from './json-body.ts';
import { checkRelationships } from './relationships.ts';

/** Parses the document of a POST. Throws a `ProblemError` with all validation errors. */
export function parseCreate(model: Model, body: Buffer | string): WriteInput {
  const data = primaryData(body);
  const issues = createIssues();
  checkType(model, data, issues);
  if ((data.id ?? null) !== null) {
    issues.add('client_id_forbidden', '/data/id', 'Florin creates ids. Leave the id out.');
  }
  return checkInput(model, 'create', data, issues);
}

/** Parses the document of a PATCH to the record `id`. Throws like `parseCreate`. */
export function parseUpdate(model: Model, body: Buffer | string, id: string): WriteInput {
  const data = primaryData(body);
  const issues = createIssues();
  checkType(model, data, issues);
  checkId(data, id, issues);
  return checkInput(model, 'update', data, issues);
}

/** Parses the body of an action; the body may be empty. Reads only type, id and the action's own fields. */
export function parseAction(
  model: Model,
  body: Buffer | string | undefined,
  id: string,
  action?: string,
): WriteInput {
  if (body === undefined || body.length === 0) return { attributes: {}, relationships: {} };
  const data = primaryData(body);
  const issues = createIssues();
  checkType(model, data, issues);
  checkId(data, id, issues);
  const fields = action === undefined ? undefined : model.resource.actions?.[action]?.fields;
  const attributes = fields ? checkActionAttributes(fields, data.attributes, issues) : {};
  issues.throwIfAny();
  return { attributes, relationships: {} };
}

function primaryData(body: Buffer | string): JsonObject {
  const document = parseJson(body);
  if (!isObject(document)) throw problem('invalid_document', 'The document must be an object.');
  if (isObject(document.data)) return document.data;
  throw problem(
    'invalid_document',
    'The document must have the member data with one resource object.',
    {
      pointer: document.data === undefined ? '' : '/data',
    },
  );
}

function checkType(model: Model, { type }: JsonObject, issues: Issues): void {
  if (typeof type !== 'string') {
    issues.add(
      'invalid_document',
      '/data',
      `data must have the member type, with the value ${model.type}.`,
    );
  } else if (type !== model.type) {
    const detail = unknownName('This address', 'type', type, [model.type]);
    issues.add('type_conflict', '/data/type', detail);
  }
}

function checkId({ id }: JsonObject, expected: string, issues: Issues): void {
  if (typeof id !== 'string') {
    issues.add(
      'invalid_document',
      '/data',
      'data must have the member id, with the id of the URL.',
    );
  } else if (id.toLowerCase() !== expected.toLowerCase()) {
    issues.add(
      'id_conflict',
      '/data/id',
      'The id in the document differs from the id in the URL. Send the id of the URL.',
    );
  }
}

function checkInput(
  model: Model,
  operation: 'create' | 'update',
  data: JsonObject,
  issues: Issues,
): WriteInput {
  const attributes = checkAttributes(model, operation, data.attributes, issues);
  const relationships = checkRelationships(model, operation, data.relationships, issues);
  issues.throwIfAny();
  const input = { attributes: attributes.written, relationships: relationships.written };
  const read_only = { attributes: attributes.read_only, relationships: relationships.read_only };
  const hasReadOnly = Object.values(read_only).some((members) => Object.keys(members).length > 0);
  const { old_values } = attributes;
  return {
    ...input,
    ...(hasReadOnly && { read_only }),
    ...(Object.keys(old_values).length > 0 && { old_values }),
  };
}
