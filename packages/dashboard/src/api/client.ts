import { activityHeaders } from './activity.ts';
import { ApiError, type ApiProblem, isProblem, isStatus } from './errors.ts';
import { identity, type PersonConfirmation, session } from './identity.ts';
import { noteCell } from './operator-cell.ts';
import { withTexts } from './problem-texts.ts';
import type { Scope } from './types.ts';

const MEDIA_TYPE = 'application/vnd.api+json';
/** Maximum attempts at a request that gets a temporary refusal or no response. */
const TRIES_MAX = 3;
const WAIT_DEFAULT_MS = 1_000;
const WAIT_MAX_MS = 10_000;
const PASSING: ReadonlySet<number> = new Set([429, 503]);

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface CallOptions {
  readonly method?: Method;
  readonly body?: object;
  readonly signal?: AbortSignal;
  /** Makes the write safe to repeat. Without a response the write is sent again. */
  readonly idempotency_key?: string;
  /** Entity tag of the record version that the form was filled from. */
  readonly if_match?: string | undefined;
}

interface DashboardOptions extends CallOptions {
  /** Merchant and mode, required for paths that belong to one merchant. */
  readonly scope?: Scope | undefined;
}

export interface Answer<D> {
  readonly document: D;
  readonly etag: string | undefined;
}

/** Calls the public interface for the merchant and mode. Rejects with `ApiError`. */
export function callInterface<D>(
  scope: Scope,
  path: string,
  options: CallOptions = {},
): Promise<Answer<D>> {
  const headers = {
    accept: MEDIA_TYPE,
    'content-type': MEDIA_TYPE,
    ...scopeHeaders(scope),
  };
  return call<D>(path, headers, options);
}

/** Calls the dashboard's own interface; `path` is below `/dashboard/api/`. Rejects with `ApiError`. */
export async function callDashboard<D>(path: string, options: DashboardOptions = {}): Promise<D> {
  const headers = {
    ...(options.scope && scopeHeaders(options.scope)),
    accept: 'application/json',
    'content-type': 'application/json',
    'florin-dashboard': '1',
  };
  return (await call<D>(`/dashboard/api/${path}`, headers, options)).document;
}

/** Marks the merchant and mode. Another site's page cannot send these headers without a CORS preflight. */
export const scopeHeaders = ({ merchant, mode }: Scope) => ({
  'florin-merchant': merchant,
  'florin-mode': mode,
});

/** Repeats a request after the person has signed in again or confirmed their identity. */
async function call<D>(...call_args: Parameters<typeof callOnce<D>>): Promise<Answer<D>> {
  try {
    return await callOnce<D>(...call_args);
  } catch (error) {
    const confirmation = confirmationFor(call_args[0], error);
    if (!confirmation || !(await confirmation.ask())) throw error;
    return call<D>(...call_args);
  }
}

const SESSION = '/dashboard/api/session';
const OPERATOR = '/dashboard/api/operator/';

/**
 * Returns the dialog that a refused request needs. Requests about the session need none, because the dialogs
 * themselves send such requests.
 */
function confirmationFor(path: string, error: unknown): PersonConfirmation | undefined {
  if (path === SESSION || path.startsWith(`${SESSION}/`)) return undefined;
  if (isProblem(error, 'sign_in_again')) return identity;
  return isStatus(error, 401) ? session : undefined;
}

async function callOnce<D>(
  path: string,
  headers: Readonly<Record<string, string>>,
  options: CallOptions,
): Promise<Answer<D>> {
  const request = requestOf(headers, options);
  const isRepeatable = request.method === 'GET' || options.idempotency_key !== undefined;
  let wasUnanswered = false;
  for (let tries = 1; ; tries += 1) {
    const response = await send(path, request);
    if (path.startsWith(OPERATOR)) noteCell(response);
    wasUnanswered ||= response === undefined;
    const isLast = tries === TRIES_MAX || !isRepeatable;
    if (response?.ok) return { document: (await read(response)) as D, etag: etagOf(response) };
    if (isLast || (response && !PASSING.has(response.status))) {
      throw await errorOf(response, wasUnanswered);
    }
    await pause(waitOf(response), options.signal);
  }
}

function requestOf(
  headers: Readonly<Record<string, string>>,
  { method = 'GET', body, signal, idempotency_key, if_match }: CallOptions,
): RequestInit {
  const { 'content-type': type, ...others } = headers;
  return {
    method,
    credentials: 'same-origin',
    headers: {
      ...others,
      ...activityHeaders(),
      ...(body && type && { 'content-type': type }),
      ...(idempotency_key && { 'idempotency-key': idempotency_key }),
      ...(if_match && { 'if-match': if_match }),
    },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  };
}

/** Returns undefined without a response. Rejects when the request was aborted. */
async function send(path: string, request: RequestInit): Promise<Response | undefined> {
  try {
    return await fetch(path, request);
  } catch (error) {
    if (request.signal?.aborted) throw error;
    return undefined;
  }
}

async function read(response: Response): Promise<unknown> {
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

async function errorOf(response: Response | undefined, was_unanswered: boolean): Promise<ApiError> {
  if (!response) return new ApiError(0, [], { was_unanswered });
  const document = (await read(response).catch(() => undefined)) as
    | { readonly errors?: readonly ApiProblem[] }
    | undefined;
  const request_id = response.headers.get('x-request-id') ?? undefined;
  const problems = await withTexts(document?.errors ?? []);
  return new ApiError(response.status, problems, { request_id, was_unanswered });
}

const etagOf = (response: Response): string | undefined =>
  response.headers.get('etag') ?? undefined;

function waitOf(response: Response | undefined): number {
  const retry_after_ms = Number(response?.headers.get('retry-after') ?? Number.NaN) * 1_000;
  return Math.min(Number.isFinite(retry_after_ms) ? retry_after_ms : WAIT_DEFAULT_MS, WAIT_MAX_MS);
}

/** Waits. Rejects with the signal's reason when the request is aborted meanwhile. */
const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
