import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { VaultRefusal } from '../kernel/errors.ts';
import { faultOf, type Log } from '../kernel/logger.ts';
import { replyError, replyJson } from './reply.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Handlers by method and path, such as `POST /ingest`. */
export type Routes = Readonly<Record<string, Handler>>;

/** Options of each listener. */
export const SERVER_OPTIONS = { keepAliveTimeout: 60_000, requestTimeout: 30_000 } as const;
const CONNECTIONS_MAX = 512;
/** Maximum wait for active requests when the vault stops. */
const DRAIN_MS = 10_000;

/** Starts to listen, and passes requests on. Resolves when it listens. */
export type OpenListener = (listener: RequestListener) => Promise<Server>;

export interface ServeOptions {
  readonly log: Log;
  /** Called for each call of a path that does not exist. */
  readonly onUnknownPath?: () => void;
}

/** Serves at a listener until disposal, then finishes active requests. */
export async function serve(
  routes: Routes,
  open: OpenListener,
  options: ServeOptions,
): Promise<AsyncDisposable> {
  const activeRequests = new Set<Promise<void>>();
  const server = await open((request, response) => {
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
