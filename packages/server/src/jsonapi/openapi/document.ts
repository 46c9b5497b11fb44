import { MEDIA_TYPE } from '../media-type.ts';
import type { Model, Models } from '../model.ts';
import { markdownOf } from './chapter.ts';
import { chaptersOf, unlistedText } from './chapters.ts';
import { contentPaths } from './contents.ts';
import { delivery } from './delivery.ts';
import { encryptionKeyPaths } from './encryption-keys.ts';
import { actionExample, createExample, updateExample } from './examples.ts';
import { filterPaths } from './filters.ts';
import { groupTitle, inReadingOrder } from './groups.ts';
import { headerComponents } from './headers.ts';
import { isList, isWrite, type Operation, operationsOf } from './operations.ts';
import { parameterComponents, parametersOf } from './parameters.ts';
import { requestName, requestSchemas } from './request-schemas.ts';
import { commonSchemas, servedSchemas } from './resource-schemas.ts';
import { errorSchemas, responseComponents, responsesOf } from './responses.ts';
import {
  type OpenApiDocument,
  type OperationObject,
  type PathItem,
  refTo,
  type Schema,
  toRecord,
} from './schema.ts';
import { describeStates } from './state-tables.ts';

/** Version of the OpenAPI document. The API's own version is the prefix `/v2`. */
const VERSION = '1.0';

/**
 * Describes all operations with parameters, bodies and responses. `base_url` is the API's origin, without a
 * trailing slash.
 */
export function describeInterface(models: Models, base_url: string): OpenApiDocument {
  const operations = operationsOf(models);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Florin',
      version: VERSION,
      summary: 'Card payments over a JSON:API interface',
      description: markdownOf(chaptersOf(models, base_url)),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: base_url, description: 'The key decides between live and sandbox.' }],
    security: [{ bearerAuth: [] }],
    tags: inReadingOrder(models).map((model) => ({
      name: model.type,
      description: `${model.resource.summary}.`,
      'x-group': groupTitle(model),
      ...deprecationOf(model),
      ...statesOf(model),
    })),
    paths: {
      ...pathsOf(operations),
      ...contentPaths(models),
      ...encryptionKeyPaths(models),
    },
    webhooks: { event: delivery },
    components: {
      securitySchemes: {
        bearerAuth: { type: 'http', scheme: 'bearer', description: 'A secret key, `ept_…_s…`.' },
      },
      parameters: parameterComponents(models),
      headers: headerComponents,
      responses: responseComponents(operations),
      schemas: {
        ...commonSchemas,
        ...errorSchemas(operations),
        ...servedSchemas(models, base_url),
        ...requestSchemas(models),
      },
    },
  };
}

const deprecationOf = ({ resource: { deprecated_for } }: Model): Schema =>
  deprecated_for ? { 'x-deprecated-for': deprecated_for } : {};

function statesOf({ resource }: Model): Schema {
  const states = describeStates(resource);
  return states ? { 'x-states': states } : {};
}

const pathsOf = (operations: readonly Operation[]): Record<string, PathItem> =>
  toRecord(
    Map.groupBy(operations, ({ path }) => path),
    ([path, pathOperations]) => [
      path,
      toRecord(pathOperations, (operation) => [operation.method, operationObject(operation)]),
    ],
  );

function operationObject(operation: Operation): OperationObject {
  const { id, summary, model, answerModel, permissions } = operation;
  return {
    operationId: id,
    summary,
    description: describeOperation(operation),
    tags: [model.type],
    ...(model.resource.deprecated_for && { deprecated: true }),
    'x-required-permission': permissions,
    ...(isList(operation) && { 'x-filter-paths': filterPaths(answerModel) }),
    parameters: parametersOf(operation),
    ...(isWrite(operation) && { requestBody: requestBody(operation) }),
    responses: responsesOf(operation),
  };
}

function describeOperation(operation: Operation): string {
  const { kind, permissions, model, action } = operation;
  const { unlisted, actions } = model.resource;
  const sentences = [
    action && actions?.[action]?.description,
    `Needs ${permissions.map((slug) => `\`${slug}\``).join(' and ')}.`,
    kind === 'update' && 'PUT does the same.',
    kind === 'action' && 'POST and PUT do the same.',
    kind === 'update' && 'Read-only members may be repeated with the values that the record has.',
    kind === 'action' && !needsBody(operation) && 'The body may be left out.',
    kind === 'list' && unlisted && unlistedText(model),
    kind === 'create' && limitText(model),
  ];
  return sentences.filter(Boolean).join(' ');
}

/** Sentence on the record limit per merchant; undefined without a limit. */
function limitText({ has_mode, resource: { few, ended } }: Model): string | undefined {
  if (few === undefined) return undefined;
  const exclusionClause = ended ? `, not counting those whose \`${ended}\` is past` : '';
  return `A merchant has at most ${few}${has_mode ? ' in each mode' : ''}${exclusionClause}.`;
}

const requestBody = (operation: Operation): Schema => ({
  required: needsBody(operation),
  content: {
    [MEDIA_TYPE]: {
      schema: refTo('schemas', requestName(operation)),
      example: exampleOf(operation),
    },
  },
});

const needsBody = ({ kind, model, action = '' }: Operation): boolean =>
  kind !== 'action' || model.resource.actions?.[action]?.needs_fields === true;

function exampleOf({ kind, model, action = '' }: Operation): object {
  if (kind === 'create') return createExample(model);
  return kind === 'update' ? updateExample(model) : actionExample(model, action);
}
