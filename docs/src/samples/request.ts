import type { SampleValue } from './literal.ts';

/** A request of a sample, in no language yet. */
export interface SampleRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Path with its query. `{{name}}` stands for a captured id. */
  readonly path: string;
  readonly body: SampleValue | undefined;
  /** Name under which later samples of the page use the response. */
  readonly capture: string | undefined;
  /** Code of the error that the request gets, for samples of refused requests. */
  readonly errorCode: string | undefined;
}

const REQUEST_LINE = /^(GET|POST|PATCH) (\/\S+)(?: -> ([a-z]\w*)| ! (\w+))?$/;

/**
 * Parses the content of an `api` block: a line `POST /v2/customers -> customer`, then the JSON body.
 * A line `POST /v2/customers ! blank` names the error that the request gets.
 * Throws an error that names the line.
 */
export function parseRequest(block: string): SampleRequest {
  const [line = '', ...rest] = block.trim().split('\n');
  const [, method, path, capture, errorCode] = REQUEST_LINE.exec(line) ?? [];
  if (!method || !path)
    throw new Error(
      `"${line}" is not a request line: METHOD /path -> name, or METHOD /path ! error_code`,
    );
  const body = rest.join('\n').trim();
  return {
    method: method as SampleRequest['method'],
    path,
    body: body ? (JSON.parse(body) as SampleValue) : undefined,
    capture,
    errorCode,
  };
}
