import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import {
  CONNECTIONS_OF_SERVER,
  VAULT_BUSY_STATUS,
} from '@florin/contract/protocol/vault-connections.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import { faultOf, type Log } from '../kernel/logger.ts';
import { replyError, replyJson } from './reply.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Handlers by method and path, such as `POST /ingest`. */
export type Routes = Readonly<Record<string, Handler>>;

/** Options of each listener. */
export const SERVER_OPTIONS = { keepAliveTimeout: 60_000, requestTimeout: 30_000 } as const;
/** Calls of four server processes that use all their connections. Further calls are refused before they begin. */
export const CALLS_MAX = 4 * CONNECTIONS_OF_SERVER;
/** A dropped connection looks to the server like a lost message, so refusals need connections too. */
const CONNECTIONS_MAX = 2 * CALLS_MAX;
/** Connections that a server opens at once before the vault accepts one. Linux allows as many by default. */
export const BACKLOG = 4_096;
/** Maximum wait for active requests when the vault stops. */
const DRAIN_MS = 10_000;

/** Starts to listen, and passes requests on. Resolves when it listens. */
export type OpenListener = (listener: RequestListener) => Promise<Server>;

export interface ServeOptions {
  readonly log: Log;
  /** Called for each call of a path that does not exist. */
  readonly onUnknownPath?: () => void;
  /** Default: `CALLS_MAX`. */
  readonly calls_max?: number;
}

/** Serves at a listener until disposal, then finishes active requests. */
export async function serve(
  routes: Routes,
  open: OpenListener,
  options: ServeOptions,
): Promise<AsyncDisposable> {
  const activeRequests = new Set<Promise<void>>();
  const { calls_max = CALLS_MAX } = options;
  const server = await open((request, response) => {
    // A busy vault still answers probes, which are GET: it is not down.
    if (activeRequests.size >= calls_max && request.method !== 'GET')
      return replyJson(response, VAULT_BUSY_STATUS, BUSY);
    const handledRequest = answerRequest(routes, request, response, options)
      .then(() => finished(response))
      // Callers may disconnect before a response is complete.
      .catch(() => {})
      .finally(() => activeRequests.delete(handledRequest));
    activeRequests.add(handledRequest);
  });
  server.maxConnections = CONNECTIONS_MAX;
  return { [Symbol.asyncDispose]: () => drain(server, activeRequests) };
}

const BUSY = { error: 'busy', detail: 'The vault has too many calls at once.' };

async function answerRequest(
  routes: Routes,
  request: IncomingMessage,
  response: ServerResponse,
  { log, onUnknownPath }: ServeOptions,
): Promise<void> {
  const { method = '', url = '' } = request;
  const handler = Object.hasOwn(routes, `${method} ${url}`)
    ? routes[`${method} ${url}`]
    : undefined;
  if (!handler) {
    onUnknownPath?.();
    return replyJson(response, 404, { error: 'bad_request', detail: 'There is no such path.' });
  }
  try {
    await handler(request, response);
  } catch (error) {
    if (!(error instanceof VaultRefusal)) {
      log({ event: 'request_failed', path: url, fault: faultOf(error) });
    }
    replyError(response, error);
  }
}

async function drain(server: Server, activeRequests: ReadonlySet<Promise<void>>): Promise<void> {
  const serverClosed = new Promise<void>((resolve) => server.close(() => resolve()));
  const { promise: drainTimeout, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, DRAIN_MS);
  await Promise.race([Promise.allSettled(activeRequests), drainTimeout]);
  clearTimeout(timer);
  server.closeAllConnections();
  await serverClosed;
}
