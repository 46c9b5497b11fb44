import { permissionSlug } from '@florin/contract/permissions.ts';
import type { Contents } from '@florin/contract/resources/define-resource.ts';
import { MEDIA_TYPE } from '../media-type.ts';
import type { Model, Models } from '../model.ts';
import { sentSchema } from './field-schema.ts';
import { headersFor, sharedHeaders } from './headers.ts';
import { recordName, recordNouns } from './names.ts';
import { type OperationObject, type PathItem, refTo, type Schema, toRecord } from './schema.ts';
import { commonStatuses, componentOf } from './statuses.ts';

const UPLOAD_ERRORS = [400, 401, 403, 404, 405, 406, 409, 413, 422];
const DOWNLOAD_ERRORS = [400, 401, 403, 404];

const bytesSchema: Schema = { type: 'string', format: 'binary' };

/** Uploads and downloads of types with contents. Their bodies are files, not documents. */
export const contentPaths = (models: Models): Record<string, PathItem> =>
  Object.assign({}, ...models.all.map((model) => pathsOfModel(models, model)));

function pathsOfModel(models: Models, model: Model): Record<string, PathItem> {
  const { contents, rendered, rendered_from = [], type } = model.resource;
  if (rendered)
    return {
      [`/v2/${type}/{id}/content`]: {
        get: downloadOf([model, ...rendered_from.map((name) => models.get(name))], rendered),
      },
    };
  if (!contents) return {};
  return {
    [`/v2/${contents.parent}/{id}/${contents.path}`]: { post: uploadOf(model, contents) },
    [`/v2/${type}/{id}/content`]: { get: downloadOf([model], contents.media_types) },
  };
}

function uploadOf(model: Model, contents: Contents): OperationObject {
  const permission = permissionSlug(model.resource, 'create');
  return {
    operationId: `upload${recordName(model.type)}`,
    summary: contents.upload_summary,
    description: `${contents.upload_description} Needs \`${permission}\`.`,
    tags: [model.type],
    'x-required-permission': [permission],
    parameters: [
      ...['id', 'UserAgent', 'IdempotencyKey'].map((name) => refTo('parameters', name)),
      ...Object.entries(contents.query).map(([name, field]) => ({
        name,
        in: 'query',
        required: field.create === 'required',
        description: field.description,
        schema: sentSchema(field),
      })),
    ],
    requestBody: {
      required: true,
      content: toRecord(contents.media_types, (type) => [type, { schema: bytesSchema }]),
    },
    responses: {
      201: {
        description: 'The record of the file.',
        headers: headersFor([...sharedHeaders, 'ETag', 'Location', 'IdempotentReplayed']),
        content: {
          [MEDIA_TYPE]: { schema: refTo('schemas', `${recordName(model.type)}Document`) },
        },
      },
      ...errorsOf(UPLOAD_ERRORS),
    },
  };
}

/** Download of the first type. The content also shows fields of the others. */
function downloadOf(
  [model, ...shown]: readonly [Model, ...Model[]],
  media_types: readonly string[],
): OperationObject {
  const permissions = [model, ...shown].map(({ resource }) => permissionSlug(resource, 'read'));
  const needs = permissions.map((slug) => `\`${slug}\``).join(', ');
  return {
    operationId: `download${recordName(model.type)}`,
    summary: `Download the content of a ${recordNouns(model.type)}`,
    description: `Always an attachment, which browsers save and never show. 404 after its removal. Needs ${needs}.`,
    tags: [model.type],
    'x-required-permission': permissions,
    parameters: ['id', 'UserAgent'].map((name) => refTo('parameters', name)),
    responses: {
      200: {
        description: 'The bytes of the file.',
        headers: headersFor(sharedHeaders),
        content: toRecord(media_types, (type) => [type, { schema: bytesSchema }]),
      },
      ...errorsOf(DOWNLOAD_ERRORS),
    },
  };
}

const errorsOf = (statuses: readonly number[]): Schema =>
  toRecord([...statuses, ...commonStatuses], (status) => [
    String(status),
    refTo('responses', componentOf(status)),
  ]);
