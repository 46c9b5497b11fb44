import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { VaultRefusal } from '../kernel/errors.ts';
import { faultOf, type Log } from '../kernel/logger.ts';
import { replyError, replyJson } from './reply.ts';
import { listen, type SocketMode } from './socket.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Handlers by method and path, such as `POST /ingest`. */
export type Routes = Readonly<Record<string, Handler>>;

const KEEP_ALIVE_MS = 60_000;
const REQUEST_TIMEOUT_MS = 30_000;
const CONNECTIONS_MAX = 512;
/** Maximum wait for active requests when the vault stops. */
const DRAIN_MS = 10_000;

/** A Unix socket, and the users that can connect to it. */
export interface SocketAddress {
  readonly path: string;
  readonly mode: SocketMode;
}

/** Serves on a Unix socket until disposal, then finishes active requests. */
export async function serve(
  routes: Routes,
  { path, mode }: SocketAddress,
  log: Log,
): Promise<AsyncDisposable> {
  const activeRequests = new Set<Promise<void>>();
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => {
      const handledRequest = answerRequest(routes, request, response, log)
        .then(() => finished(response))
        // Callers may disconnect before a response is complete.
        .catch(() => {})
        .finally(() => activeRequests.delete(handledRequest));
      activeRequests.add(handledRequest);
    },
  );
  server.maxConnections = CONNECTIONS_MAX;
  await listen(server, path, mode);
  return { [Symbol.asyncDispose]: () => drain(server, activeRequests) };
}

async function answerRequest(
  routes: Routes,
  request: IncomingMessage,
  response: ServerResponse,
  log: Log,
): Promise<void> {
  const { method = '', url = '' } = request;
  const handler = Object.hasOwn(routes, `${method} ${url}`)
    ? routes[`${method} ${url}`]
    : undefined;
  if (!handler) {
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
