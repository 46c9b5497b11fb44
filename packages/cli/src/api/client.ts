import { PlainFailure } from '../kernel/plain-failure.ts';
import type { Access } from './access.ts';

/** A record as the interface shows it. */
export interface ApiRecord {
  readonly id: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<Record<string, { readonly data?: unknown }>>;
}

/** A document with one record or a page of records. */
interface ApiDocument<Data> {
  readonly data: Data;
  readonly links: { readonly next?: string | null };
}

export type Page<Shape extends ApiRecord = ApiRecord> = ApiDocument<readonly Shape[]>;

/** HTTP client of a running Florin, with one API key. */
export interface ApiClient {
  /** Reads a page of a list. `path` is a path, or a complete URL as in the links of a page. */
  list<Shape extends ApiRecord>(path: string): Promise<Page<Shape>>;
  /** Sends a request with an optional document and returns the record of the response. */
  send(method: 'GET' | 'POST' | 'PATCH', path: string, data?: object): Promise<ApiRecord>;
}

/** Florin refused a request or did not respond. The message has the reason. */
export class ApiError extends PlainFailure {
  override name = 'ApiError';
  /** HTTP status; undefined without a response. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }

  /** Whether a repeat of the request may succeed later. */
  get isTemporary(): boolean {
    return this.status === undefined || this.status === 429 || this.status >= 500;
  }
}

const TIMEOUT_MS = 15_000;
const MEDIA_TYPE = 'application/vnd.api+json';

export function createClient({ base_url, key }: Access): ApiClient {
  async function sendRequest<Data>(
    method: string,
    path: string,
    data?: object,
  ): Promise<ApiDocument<Data>> {
    const url = urlOf(path, base_url);
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'user-agent': 'florin-cli/1',
        ...(data && { 'content-type': MEDIA_TYPE }),
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(data && { body: JSON.stringify({ data }) }),
    }).catch((error: Error) => {
      throw new ApiError(
        `${url.origin} cannot be reached (${reasonOf(error)}). Is Florin started?`,
      );
    });
    const document = await response.json().catch(() => undefined);
    if (response.ok && document) return document as ApiDocument<Data>;
    throw new ApiError(
      `${method} ${url.pathname}: ${detailOf(document, response)}`,
      response.status,
    );
  }
  return {
    list: (path) => sendRequest('GET', path),
    send: async (method, path, data) => (await sendRequest<ApiRecord>(method, path, data)).data,
  };
}

/**
 * Resolves a path, or the path of a complete URL, against the given origin, so that the key never reaches another
 * origin.
 */
function urlOf(path: string, base_url: string): URL {
  const { pathname, search } = new URL(path, base_url);
  return Object.assign(new URL(base_url), { pathname, search });
}

function detailOf(document: unknown, { status }: Response): string {
  const { errors } = (document ?? {}) as { errors?: readonly { code: string; detail: string }[] };
  const [firstError] = errors ?? [];
  return firstError ? `${firstError.detail} (${status} ${firstError.code})` : `answered ${status}`;
}

/** Returns a short reason for a missing response: `ECONNREFUSED`, `timeout`. */
export function reasonOf(error: Error): string {
  if (error.name === 'TimeoutError') return 'timeout';
  const { code, message } = (error.cause ?? error) as Error & { code?: unknown };
  if (typeof code !== 'string') return message;
  return CERTIFICATE_CODES.has(code)
    ? `${code}: set NODE_EXTRA_CA_CERTS to the file of the certificate's authority`
    : code;
}

/** Codes for certificates that no known authority signed. */
const CERTIFICATE_CODES: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
