import { setTimeout as sleep } from 'node:timers/promises';

/** A parsed response: one record, several, or none. */
export interface RawResponse {
  readonly status: number;
  readonly data?: unknown;
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** The idempotency key. Requests without a key are safe to repeat. */
  readonly key?: string;
}

/** A merchant's connection to Florin. Requests without a response are sent again with the same key. */
export interface Connection {
  /** Sends a request. Throws if no response arrives within the limit. */
  send(request: Request): Promise<RawResponse>;
  /** Responses that should never occur. */
  readonly unexpected: readonly string[];
  /** Number of requests sent again. */
  repeats(): number;
}

const MEDIA_TYPE = 'application/vnd.api+json';
export const LONG_TIMEOUT_MS = 90_000;
const REQUEST_TIMEOUT_MS = 10_000;
export const PAUSE_MS = 60;
const UNAVAILABLE = 503;

export function createConnection(baseUrl: string, secretKey: string): Connection {
  const unexpectedTexts: string[] = [];
  const count = { repeats: 0 };
  return {
    async send(request) {
      const { method, path } = request;
      const deadline = performance.now() + LONG_TIMEOUT_MS;
      while (performance.now() < deadline) {
        const response = await sendOnce(baseUrl, secretKey, request);
        if (response && response.status < 500) return response;
        if (response && response.status !== UNAVAILABLE) {
          unexpectedTexts.push(
            `${method} ${path.replaceAll(UUID, '<id>')} was answered ${response.status}`,
          );
        }
        count.repeats += 1;
        await sleep(PAUSE_MS);
      }
      throw new Error(`${method} ${path} was not answered for ${LONG_TIMEOUT_MS / 1_000} s`);
    },
    unexpected: unexpectedTexts,
    repeats: () => count.repeats,
  };
}

const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

/** Sends a request once. Undefined if the response is missing or incomplete. */
async function sendOnce(
  baseUrl: string,
  secretKey: string,
  { method, path, body, key }: Request,
): Promise<RawResponse | undefined> {
  const headers = {
    authorization: `Bearer ${secretKey}`,
    'user-agent': 'florin-faults/1',
    ...(key && { 'idempotency-key': key }),
    ...(body !== undefined && { 'content-type': MEDIA_TYPE }),
  };
  try {
    const response = await fetch(baseUrl + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    return { status: response.status, ...((await response.json()) as { data?: unknown }) };
  } catch {
    return undefined;
  }
}
