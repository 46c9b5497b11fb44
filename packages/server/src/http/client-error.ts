import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ProblemError, problem } from '@florin/contract/errors.ts';
import { SAFE_HEADERS } from '../jsonapi/answer.ts';
import { MEDIA_TYPE } from '../jsonapi/media-type.ts';
import { renderProblems } from '../jsonapi/problems.ts';
import { HEAD_BYTES_MAX } from '../jsonapi/request.ts';
import { newRequestId } from './request-log.ts';

/** Error responses for requests that Node cannot parse, by Node's error code. */
const problemsByCode: Readonly<Record<string, () => ProblemError>> = {
  HPE_HEADER_OVERFLOW: () =>
    problem(
      'head_too_large',
      `The URL and headers must have at most ${HEAD_BYTES_MAX} bytes together.`,
      undefined,
      { meta: { limit: HEAD_BYTES_MAX } },
    ),
  ERR_HTTP_REQUEST_TIMEOUT: () =>
    problem('request_timeout', 'The request took too long to arrive. Send it again.'),
};

/** Answers a request that Node cannot parse, which reaches no route, and closes the connection. */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  base_url: string,
): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const createProblem = problemsByCode[error.code ?? ''];
  const { status, body } = renderProblems(
    createProblem?.() ?? problem('malformed_request', 'The request cannot be read as HTTP.'),
    base_url,
  );
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${MEDIA_TYPE}`,
    `content-length: ${body.length}`,
    'vary: Accept',
    ...Object.entries(SAFE_HEADERS).map(([name, value]) => `${name}: ${value}`),
    `x-request-id: ${newRequestId()}`,
    'connection: close',
  ];
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]));
}
