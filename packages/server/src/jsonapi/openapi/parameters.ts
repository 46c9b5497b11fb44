import type { Model, Models } from '../model.ts';
import { includePathsMax } from '../parse-query/include.ts';
import {
  CURSOR_TEXT_MAX,
  INCLUDE_DEPTH_MAX,
  INT32_MAX,
  PAGE_SIZE_DEFAULT,
  PAGE_SIZE_MAX,
  SORT_KEYS_MAX,
} from '../parse-query/limits.ts';
import { queryableNames } from '../parse-query/path.ts';
import { HEAD_BYTES_MAX } from '../request.ts';
import { filterParameters, filtersOf } from './filters.ts';
import { isList, isWrite, type Operation } from './operations.ts';
import { type OpenapiParameter, refTo, type Schema, toRecord } from './schema.ts';

const idParameter: OpenapiParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Id of the record.',
  schema: { type: 'string', format: 'uuid' },
};

const headerParameter = (
  name: string,
  description: string,
  extra: Schema = {},
): OpenapiParameter => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string', maxLength: HEAD_BYTES_MAX },
  ...extra,
});

const headers = {
  UserAgent: headerParameter(
    'User-Agent',
    'Name and version of the client program. Most HTTP clients send one. A request without it is 400.',
  ),
  IfNoneMatch: headerParameter(
    'If-None-Match',
    'An earlier `ETag`: the response is 304 if nothing has changed.',
  ),
  IfMatch: headerParameter(
    'If-Match',
    'An `ETag` of the record: the response is 412 if the record has changed.',
  ),
  IdempotencyKey: headerParameter(
    'Idempotency-Key',
    'Makes a repeat safe: the same key with the same request is done once.',
    { schema: { type: 'string', minLength: 1, maxLength: 255 } },
  ),
} as const;

const int32Schema = (minimum: number, extra: Schema = {}): Schema => ({
  type: 'integer',
  format: 'int32',
  minimum,
  maximum: INT32_MAX,
  ...extra,
});
const pageSize = int32Schema(1, { maximum: PAGE_SIZE_MAX, default: PAGE_SIZE_DEFAULT });
const cursor: Schema = { type: 'string', maxLength: CURSOR_TEXT_MAX };

const pageParameterTexts: Readonly<Record<string, readonly [description: string, schema: Schema]>> =
  {
    size: ['Records on a page.', pageSize],
    number: ['Number of the page, with `page[size]`.', int32Schema(1, { default: 1 })],
    limit: ['Records on a page.', pageSize],
    offset: ['Number of records to skip, with `page[limit]`.', int32Schema(0, { default: 0 })],
    after: ['Cursor of `links.next`: the records that follow.', cursor],
    before: ['Cursor of `links.prev`: the records that come before.', cursor],
    total: [
      'Whether to count all records, in `meta.total` and `meta.pagination.total`.',
      { type: 'boolean' },
    ],
  };

const pageParameters = toRecord(
  Object.entries(pageParameterTexts),
  ([key, [description, schema]]): [string, OpenapiParameter] => [
    `page.${key}`,
    { name: `page[${key}]`, in: 'query', description, schema },
  ],
);

/** Parameter with a comma list. Clients may repeat the parameter instead. */
const listParameter = (
  name: string,
  description: string,
  values: readonly string[],
  itemsMax = values.length,
): OpenapiParameter => ({
  name,
  in: 'query',
  description,
  style: 'form',
  explode: false,
  schema: { type: 'array', items: { type: 'string', enum: values }, maxItems: itemsMax },
});

const fieldsParameter = ({ type, fields, relations }: Model): OpenapiParameter =>
  listParameter(`fields[${type}]`, `Fields of ${type} in the response.`, [
    ...[...fields.values()].filter(({ readable }) => readable).map(({ name }) => name),
    ...relations.keys(),
  ]);

const includeParameter = (model: Model): OpenapiParameter =>
  listParameter(
    'include',
    `Related records to include: at most ${includePathsMax(model)} paths of at most ${INCLUDE_DEPTH_MAX} steps, of which the first two are listed.`,
    [...model.relations.values()].flatMap(({ name, target }) => [
      name,
      ...[...target.relations.keys()].map((nextName) => `${name}.${nextName}`),
    ]),
    includePathsMax(model),
  );

function sortParameter(model: Model): OpenapiParameter {
  const names = queryableNames(model).filter((name) => !model.relations.has(name));
  return listParameter(
    'sort',
    `At most ${SORT_KEYS_MAX} fields, each ascending or, with \`-\`, descending. The default is newest first. To-one paths such as \`payer.name\` sort too.`,
    names.flatMap((name) => [name, `-${name}`]),
    SORT_KEYS_MAX,
  );
}

/** All parameters by component name. */
export const parameterComponents = (models: Models): Record<string, Schema> => ({
  id: idParameter,
  ...headers,
  ...pageParameters,
  ...Object.assign(
    {},
    ...models.all.map((model) => ({
      [`fields.${model.type}`]: fieldsParameter(model),
      ...(model.relations.size > 0 && { [`include.${model.type}`]: includeParameter(model) }),
      ...(isListed(models, model) && {
        [`sort.${model.type}`]: sortParameter(model),
        ...filterParameters(model),
      }),
    })),
  ),
});

const isListed = (models: Models, model: Model): boolean =>
  model.resource.operations.includes('list') ||
  models.all.some(({ relations }) =>
    [...relations.values()].some(({ many, target }) => many && target === model),
  );

/** Parameters of an operation, as references to components. */
export function parametersOf(operation: Operation): Schema[] {
  const { path, answerModel } = operation;
  const renderedModels = new Set([
    answerModel,
    ...[...answerModel.relations.values()].map(({ target }) => target),
  ]);
  const names = [
    ...(path.includes('{id}') ? ['id'] : []),
    'UserAgent',
    ...headersOf(operation),
    ...[...renderedModels].map(({ type }) => `fields.${type}`),
    ...(answerModel.relations.size > 0 ? [`include.${answerModel.type}`] : []),
    ...(isList(operation)
      ? [`sort.${answerModel.type}`, ...Object.keys(pageParameters), ...filtersOf(answerModel)]
      : []),
  ];
  return names.map((name) => refTo('parameters', name));
}

function headersOf(operation: Operation): (keyof typeof headers)[] {
  if (!isWrite(operation)) return ['IfNoneMatch'];
  return operation.kind === 'create' ? ['IdempotencyKey'] : ['IdempotencyKey', 'IfMatch'];
}
