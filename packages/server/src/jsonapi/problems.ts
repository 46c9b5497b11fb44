import { randomUUID } from 'node:crypto';
import {
  errorPagePath,
  errorTable,
  type Problem,
  ProblemError,
  problem,
  statusOf,
} from '@florin/contract/errors.ts';
import { unsupportedMediaType } from './media-type.ts';
import { BODY_BYTES_MAX } from './request.ts';

/** An error response. */
interface ProblemResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Errors of the HTTP layer that concern the client, by code. */
const frameworkErrors: Readonly<Record<string, () => ProblemError>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupportedMediaType,
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    problem('body_too_large', `The body must have at most ${BODY_BYTES_MAX} bytes.`, undefined, {
      meta: { limit: BODY_BYTES_MAX },
    }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    problem(
      'invalid_document',
      'The length of the body differs from Content-Length. Send its length in bytes.',
    ),
  FST_ERR_MAX_PARAM_LENGTH: () =>
    problem('not_found', 'No resource has this address. Check the path.'),
  FST_ERR_BAD_URL: () => problem('invalid_url', 'The path is not valid percent-encoded UTF-8.'),
};

/** The record does not exist, or the caller may not see it. The error does not reveal which. */
export const notFound = (): ProblemError =>
  problem(
    'not_found',
    'No record with this id is visible to the token. Check the id and the mode of the key.',
  );

/** The public part of any error. Unknown errors reveal no detail. */
export function asProblemError(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return (
    frameworkErrors[code]?.() ??
    problem(
      'internal',
      'Florin could not complete the request. Send it again with the same idempotency key.',
      undefined,
      { cause: error },
    )
  );
}

/**
 * Renders any error as a JSON:API error document, with a new id for each occurrence. `base_url`: public origin
 * of the API, whose documentation each error links to.
 */
export function renderProblems(
  error: unknown,
  base_url: string,
  makeId: () => string = randomUUID,
): ProblemResponse {
  const { problems, headers } = asProblemError(error);
  const document = {
    jsonapi: { version: '1.1' },
    errors: problems.map((problem) => errorObject(problem, base_url, makeId())),
  };
  return { status: statusOf(problems), headers, body: Buffer.from(JSON.stringify(document)) };
}

function errorObject(
  { code, detail, source, links: ownLinks, meta }: Problem,
  base_url: string,
  id: string,
) {
  const { status, title } = errorTable[code];
  const links = { about: `${base_url}/docs/${errorPagePath(code)}`, ...ownLinks };
  return { id, links, status: String(status), code, title, detail, source, meta };
}
