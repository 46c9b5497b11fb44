import type { ErrorCode } from '@florin/contract/errors.ts';
import { MEDIA_TYPE } from '../media-type.ts';
import { type HeaderComponent, headersFor } from './headers.ts';
import { recordName } from './names.ts';
import { isList, isWrite, type Operation } from './operations.ts';
import { objectOf, type Response, refTo, type Schema, toRecord } from './schema.ts';
import { adviceOf, codesByStatus, componentOf, statusesOf, successStatus } from './statuses.ts';

/** Headers of every document. */
const commonHeaders: readonly HeaderComponent[] = [
  'XRequestId',
  'Vary',
  'RateLimitPolicy',
  'RateLimit',
];

/** Additional headers by status. */
const headersByStatus: Readonly<Record<number, readonly HeaderComponent[]>> = {
  401: ['WWWAuthenticate'],
  405: ['Allow'],
  429: ['RetryAfter'],
  503: ['RetryAfter'],
};

const contentOf = (schema: Schema): Schema => ({ [MEDIA_TYPE]: { schema } });

/** Error codes of operations by status. Connection-level errors are excluded: they occur before routing. */
function errorCodesOf(operations: readonly Operation[]): [number, readonly ErrorCode[]][] {
  const usedStatuses = new Set(operations.flatMap(statusesOf));
  return [...codesByStatus()].filter(([status]) => usedStatuses.has(status));
}

/** Responses that operations share, by status: 304 and the errors. */
export const responseComponents = (operations: readonly Operation[]): Record<string, Schema> => ({
  NotModified: {
    description: adviceOf(304),
    headers: headersFor(['XRequestId', 'Vary', 'ETag']),
  },
  ...toRecord(errorCodesOf(operations), ([status]): [string, Response] => [
    componentOf(status),
    {
      description: adviceOf(status),
      headers: headersFor([...commonHeaders, ...(headersByStatus[status] ?? [])]),
      content: contentOf(refTo('schemas', `${componentOf(status)}Errors`)),
    },
  ]),
});

/**
 * Error schemas: one per status, with its codes. The 400 schema has all codes, because problems of different
 * statuses together are answered with 400.
 */
export function errorSchemas(operations: readonly Operation[]): Record<string, Schema> {
  const codesPerStatus = errorCodesOf(operations);
  return {
    ErrorSource: objectOf(
      {
        pointer: { type: 'string', description: 'JSON Pointer into the request document.' },
        parameter: { type: 'string', description: 'Query parameter.' },
        header: { type: 'string', description: 'Request header.' },
      },
      [],
    ),
    ErrorLinks: objectOf(
      {
        about: {
          type: 'string',
          format: 'uri',
          description: 'Page of the `code` in the documentation: cause, example and fix.',
        },
        type: {
          type: 'string',
          format: 'uri',
          description: 'Error type of a JSON:API profile, such as cursor pagination.',
        },
      },
      ['about'],
    ),
    ...toRecord(codesPerStatus, ([status, codes]): [string, Schema] => [
      `${componentOf(status)}Errors`,
      errorDocument(
        status === 400 ? codesPerStatus.flatMap(([, statusCodes]) => statusCodes) : codes,
      ),
    ]),
  };
}

const errorDocument = (codes: readonly ErrorCode[]): Schema =>
  objectOf({
    jsonapi: refTo('schemas', 'JsonApi'),
    errors: {
      type: 'array',
      minItems: 1,
      items: objectOf(
        {
          id: { type: 'string', description: 'Id of this occurrence.' },
          status: { type: 'string', description: 'The HTTP status of this problem.' },
          code: { type: 'string', enum: codes, description: 'Stable. More codes may be added.' },
          title: { type: 'string', description: 'The same for every occurrence of the code.' },
          detail: { type: 'string' },
          source: refTo('schemas', 'ErrorSource'),
          links: refTo('schemas', 'ErrorLinks'),
          meta: { type: 'object' },
        },
        ['id', 'links', 'status', 'code', 'title', 'detail'],
      ),
    },
  });

/** Responses of one operation by status. */
export const responsesOf = (operation: Operation): Record<string, Schema> =>
  toRecord(statusesOf(operation), (status) => [
    String(status),
    status === successStatus(operation)
      ? successResponse(operation)
      : refTo('responses', componentOf(status)),
  ]);

function successResponse(operation: Operation): Response {
  const headers: HeaderComponent[] = [
    ...commonHeaders,
    'ETag',
    ...(isWrite(operation) ? (['IdempotentReplayed'] as const) : []),
    ...(operation.kind === 'create' ? (['Location'] as const) : []),
  ];
  return {
    description: describeSuccess(operation),
    headers: headersFor(headers),
    content: contentOf(refTo('schemas', documentName(operation))),
  };
}

function documentName(operation: Operation): string {
  const name = recordName(operation.answerModel.type);
  if (isList(operation)) return `${name}ListDocument`;
  return operation.kind === 'related_one' ? `${name}OrNoneDocument` : `${name}Document`;
}

function describeSuccess(operation: Operation): string {
  if (isList(operation)) return 'A page of records.';
  if (operation.kind === 'related_one') return 'The related record, or null where there is none.';
  return isWrite(operation) ? 'The record after the write.' : 'The record.';
}
