import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { SAFE_HEADERS } from '../jsonapi/answer.ts';
import { HEAD_BYTES_MAX } from '../jsonapi/request.ts';
import { answerClientError } from './client-error.ts';
import { renderUnavailablePage, wantsPage } from './pages/unavailable-page.ts';

const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Connections that may wait to be accepted. The kernel's `somaxconn` limits them too; its default is the same. */
const BACKLOG = 4_096;
/** Grace period for running requests when the server closes; afterwards their connections are cut. */
const CLOSE_LIMIT_MS = 10_000;
/** Interval at which idle connections are closed during the grace period. */
const SWEEP_MS = 50;

/** One origin and its handler. */
export interface Site {
  readonly fastify: FastifyInstance;
  /** Whether a request for this host name belongs to the site. */
  readonly serves: (host: string) => boolean;
}

/** An open port. Opens before other parts start, so that a port conflict is reported immediately. */
export interface HttpServer {
  readonly port: number;
  /**
   * Starts serving the sites; earlier requests get 503. The last site serves all unmatched hosts. `base_url`:
   * public origin of the API.
   */
  serve(sites: readonly Site[], base_url: string): Promise<void>;
  /** Open connections of clients. */
  countClients(): Promise<number>;
  /** Stops accepting connections. Returns when running requests are answered, or cuts them after 10 s. */
  close(): Promise<void>;
}

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  /** How an operator chooses another port, for the error of a port in use. */
  readonly advice?: string | undefined;
  /** Connections that may be open at the same time; default: no limit. Further ones are closed, and `onDrop` is called. */
  readonly clients_max?: number;
  readonly onDrop?: () => void;
}

/** Opens a port. Throws an `Error` with one sentence if that fails. */
export async function openServer(address: ServerAddress): Promise<HttpServer> {
  const { clients_max, onDrop = () => {} } = address;
  let sites: readonly Site[] = [];
  /** Until the sites are served, links of errors are relative. */
  let baseUrl = '';
  const closer = createConnectionClosing();
  const server = createServer({ maxHeaderSize: HEAD_BYTES_MAX }, (request, response) => {
    closer.watch(response);
    const site = siteOf(sites, request);
    if (site) site.fastify.routing(request, response);
    else answerTooEarly(request, response);
  });
  server.on('clientError', (error, socket) => answerClientError(error, socket, baseUrl));
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;

  if (clients_max !== undefined) server.maxConnections = clients_max;
  server.on('drop', onDrop);
  await bind(server, address);
  return {
    port: (server.address() as AddressInfo).port,
    async serve(newSites, base_url) {
      await Promise.all(newSites.map(({ fastify }) => fastify.ready()));
      sites = newSites;
      baseUrl = base_url;
    },
    countClients: () =>
      new Promise((resolve) => server.getConnections((_error, count) => resolve(count ?? 0))),
    async close() {
      closer.begin();
      await closeServer(server);
      await Promise.all(sites.map(({ fastify }) => fastify.close()));
    },
  };
}

/** Seconds until a request is sent again that arrived during the start. Migrations may take longer. */
const START_RETRY_S = 1;

/** Answers before the sites are served: with a page for people. */
function answerTooEarly({ url = '/', headers }: IncomingMessage, response: ServerResponse): void {
  const page = wantsPage({ url, headers })
    ? renderUnavailablePage({ url, headers }, START_RETRY_S)
    : { headers: { 'retry-after': String(START_RETRY_S) }, html: '' };
  response.writeHead(503, { ...SAFE_HEADERS, ...page.headers }).end(page.html);
}

/** After its start, every response closes its connection. */
function createConnectionClosing() {
  const openResponses = new Set<ServerResponse>();
  let isClosing = false;
  const announceClose = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('connection', 'close');
  };
  return {
    watch(response: ServerResponse): void {
      openResponses.add(response);
      response.once('close', () => openResponses.delete(response));
      if (isClosing) announceClose(response);
    },
    begin(): void {
      isClosing = true;
      openResponses.forEach(announceClose);
    },
  };
}

function siteOf(sites: readonly Site[], request: IncomingMessage): Site | undefined {
  const name = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
  return sites.find(({ serves }) => serves(name)) ?? sites.at(-1);
}

function bind(server: Server, { host, port, advice }: ServerAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(bindError(cause, port, advice)));
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
}

function bindError(
  cause: NodeJS.ErrnoException,
  port: number,
  advice = 'choose another port with PORT=4001 npm start',
): Error {
  const message =
    cause.code === 'EADDRINUSE'
      ? `Port ${port} is in use. Stop the other program, or ${advice}.`
      : `Port ${port} cannot be opened (${cause.code}). To change it, ${advice}.`;
  return new Error(message, { cause });
}

async function closeServer(server: Server): Promise<void> {
  const closePromise = new Promise<void>((resolve) => server.close(() => resolve()));
  const sweepTimer = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const limitTimer = setTimeout(() => server.closeAllConnections(), CLOSE_LIMIT_MS);
  await closePromise;
  clearInterval(sweepTimer);
  clearTimeout(limitTimer);
}
