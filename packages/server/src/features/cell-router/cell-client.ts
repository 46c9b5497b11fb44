import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { problem } from '@florin/contract/errors.ts';
import type { FastifyReply } from 'fastify';
import { createNetworkTest } from '../../platform/rates/in-networks.ts';
import { traceHeaders } from '../../platform/telemetry/tracing.ts';
import { createDelivery } from './delivery.ts';
import { askCell, exchangeOf, noteAnswer } from './exchange.ts';
import {
  CELL_CONNECTIONS_MAX,
  CELL_WAITING_MAX,
  CLIENT_LIMITS,
  type ClientLimits,
} from './limits.ts';
import type { CellConnections, RouterMetrics } from './metrics.ts';

/** A cell and the address of its servers. */
export interface CellAddress {
  readonly name: string;
  readonly url: URL;
}

/** Longest wait for the head of an answer. No request of Florin takes as long. */
const ANSWER_MS = 90_000;

/** Sends requests to cells over connections that stay open. */
export interface CellClient extends Disposable {
  /**
   * Sends the request of a reply to a cell, and resolves with the head of its answer. Rejects with `CellDown` if the cell
   * does not answer.
   */
  send(cell: CellAddress, reply: FastifyReply, changes?: RequestChanges): Promise<IncomingMessage>;
  /**
   * Passes an answer on, with its headers as they are, and pairs of names and values in `more`, which replace
   * those of the answer. Names in `more` are in lower case. Ends an exchange that exceeds the limits of clients.
   */
  relay(reply: FastifyReply, answer: IncomingMessage, more?: readonly string[]): Promise<void>;
  connectionsOf(cell: Pick<CellAddress, 'name'>): CellConnections;
}

export interface CellClientOptions {
  readonly metrics: Pick<RouterMetrics, 'observeAnswer' | 'countRefusal'>;
  /** Addresses and networks of proxies that may send a trace. */
  readonly trusted_proxies?: readonly string[];
  readonly limits?: ClientLimits;
}

/** Differences from the client's own request. */
export interface RequestChanges {
  /** The body, where it was read already. */
  readonly body?: Buffer | undefined;
  /** Whether the answer must be whole and not compressed. */
  readonly is_plain?: boolean;
  /** Longest wait for the head of the answer; default `ANSWER_MS`. */
  readonly answer_ms?: number;
}

/** A cell accepted no connection, or ended it before an answer. */
export class CellDown extends Error {
  readonly cell: string;
  constructor(cell: string, cause: Error) {
    super(`the cell ${cell} does not answer`, { cause });
    this.cell = cell;
  }
}

/** The 503 for a cell that is down. The request may have been processed. */
export const cellDownProblem = ({ cell, cause }: CellDown) =>
  problem(
    'unavailable',
    `The cell ${cell} does not answer. Try again in a moment, with the same idempotency key.`,
    undefined,
    { headers: { 'retry-after': '1' }, cause },
  );

export function createCellClient({
  metrics,
  trusted_proxies = [],
  limits = CLIENT_LIMITS,
}: CellClientOptions): CellClient {
  const agents = createAgents();
  const openCounts = new Map<string, number>();
  const cellsOfAnswers = new WeakMap<IncomingMessage, string>();
  const delivery = createDelivery({ limits, metrics });
  const isTrusted = createNetworkTest(trusted_proxies);
  const countOpen = (name: string, change: number): number => {
    const count = (openCounts.get(name) ?? 0) + change;
    openCounts.set(name, count);
    return count;
  };
  return {
    send(cell, reply, changes = {}) {
      const { name } = cell;
      const { request, raw: response } = reply;
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      const { raw, id } = request;
      const obstacle = findObstacle(raw, response, changes);
      if (obstacle) return Promise.reject(new CellDown(name, new Error(obstacle)));
      if (countOpen(name, 0) >= CELL_CONNECTIONS_MAX + CELL_WAITING_MAX) {
        metrics.countRefusal('cell');
        return Promise.reject(new CellDown(name, new Error('too many requests wait')));
      }
      const headers = headersTo(raw, id, changes, isTrusted(raw.socket.remoteAddress));
      const sent = openRequest(cell, agents.of(cell), raw, headers);
      countOpen(name, 1);
      const began = performance.now();
      const { answer_ms = ANSWER_MS } = changes;
      const timer = setTimeout(() => sent.destroy(new Error('no answer in time')), answer_ms);
      sent.once('close', () => {
        clearTimeout(timer);
        countOpen(name, -1);
      });
      sent.once('response', (answer) => {
        clearTimeout(timer);
        metrics.observeAnswer(name, (performance.now() - began) / 1_000);
        cellsOfAnswers.set(answer, name);
        resolve(answer);
      });
      sent.on('error', (error) => {
        raw.unpipe(sent).resume();
        reject(new CellDown(name, error));
      });
      response.once('close', () => endUnlessWhole(reply, sent));
      if (changes.body) sent.end(changes.body);
      else if (hasBody(raw.headers)) delivery.send(name, reply, sent);
      else sent.end();
      return promise.finally(askCell(exchangeOf(request)));
    },
    async relay(reply, answer, more = []) {
      const cell = cellsOfAnswers.get(answer) as string;
      noteAnswer(reply, cell);
      reply.hijack();
      const replaced = more.filter((_, at) => at % 2 === 0);
      reply.raw.writeHead(answer.statusCode as number, [...endToEnd(answer, replaced), ...more]);
      await delivery.answer(cell, reply, answer);
    },
    connectionsOf: agents.connectionsOf,
    [Symbol.dispose]: () => agents.close(),
  };
}

/** Connections to each cell, which stay open. */
function createAgents() {
  const agents = new Map<string, HttpAgent>();
  const options = { keepAlive: true, maxSockets: CELL_CONNECTIONS_MAX };
  return {
    of({ name, url }: CellAddress): HttpAgent {
      const known = agents.get(name);
      if (known) return known;
      const agent = isSecure(url) ? new HttpsAgent(options) : new HttpAgent(options);
      agents.set(name, agent);
      return agent;
    },
    connectionsOf({ name }: Pick<CellAddress, 'name'>): CellConnections {
      const { sockets = {}, freeSockets = {}, requests = {} } = agents.get(name) ?? {};
      return {
        in_use: countAll(sockets),
        idle: countAll(freeSockets),
        waiting: countAll(requests),
      };
    },
    close(): void {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

const isSecure = ({ protocol }: URL): boolean => protocol === 'https:';

/** Opens a request to a cell with the method and address of the client's. */
const openRequest = (
  { url }: CellAddress,
  agent: HttpAgent,
  { method, url: path }: IncomingMessage,
  headers: readonly string[],
): ClientRequest =>
  (isSecure(url) ? httpsRequest : httpRequest)({
    agent,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port || (isSecure(url) ? 443 : 80),
    ...(isSecure(url) && { servername: url.hostname }),
    method,
    path,
    headers,
  });

/** Members of the lists of an agent, which are kept by address. */
const countAll = (lists: NodeJS.ReadOnlyDict<readonly unknown[]>): number =>
  Object.values(lists).reduce((sum, list) => sum + (list?.length ?? 0), 0);

/** Why a request cannot be sent whole. Half a message would take the next request of its connection for the rest. */
function findObstacle(
  raw: IncomingMessage,
  response: ServerResponse,
  { body }: RequestChanges,
): string | undefined {
  if (response.destroyed) return 'the client left';
  if (body || !hasBody(raw.headers)) return undefined;
  return raw.destroyed || raw.readableDidRead ? 'the body is gone' : undefined;
}

/**
 * Ends a request to a cell whose client left, or that the cell answered before it had read the body: the rest may never
 * arrive. The client's connection stays usable, since the rest of its body is read.
 */
function endUnlessWhole({ request, raw: response }: FastifyReply, sent: ClientRequest): void {
  if (response.writableFinished && sent.writableFinished) return;
  request.raw.unpipe(sent).resume();
  sent.destroy();
}

/** Without either header, a request has no body. */
export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** Headers of one connection (RFC 9110, section 7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Headers that `Connection` must not remove: without them, the cell reads another request. */
const FRAMING: ReadonlySet<string> = new Set(['content-length', 'host']);

/** Pairs of names and values without those of the connection, and without `more`. */
export function endToEnd(
  { rawHeaders, headers }: Pick<IncomingMessage, 'rawHeaders' | 'headers'>,
  more: readonly string[] = [],
): string[] {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const left = new Set([...HOP_BY_HOP, ...named.filter((name) => !FRAMING.has(name)), ...more]);
  return rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && !left.has(name.toLowerCase()) ? [name, rawHeaders[at + 1] as string] : [],
  );
}

/** Cells trust the traces of a router. A trace decides whether it is kept, so cells must get none of a client. */
const TRACE_HEADERS = ['traceparent', 'tracestate'] as const;

/**
 * Headers of a request to a cell, with the framing of its body. Without framing, Node would write the body of a `DELETE`
 * as it is, and the cell would read a further request.
 */
function headersTo(
  raw: IncomingMessage,
  request_id: string,
  { body, is_plain }: RequestChanges,
  isFromProxy: boolean,
): string[] {
  const { 'x-forwarded-for': before, 'transfer-encoding': coding } = raw.headers;
  const isChunked = coding !== undefined && !body;
  const trace = Object.entries(traceHeaders()).flat();
  const replaced = [
    ...['x-forwarded-for', 'x-request-id'],
    ...(trace.length > 0 || !isFromProxy ? TRACE_HEADERS : []),
    ...(body || isChunked ? ['content-length'] : []),
    ...(is_plain ? ['accept-encoding', 'if-none-match'] : []),
  ];
  return [
    ...endToEnd(raw, replaced),
    ...['x-forwarded-for', [before, raw.socket.remoteAddress].filter(Boolean).join(', ')],
    ...['x-request-id', request_id],
    ...trace,
    ...(body ? ['content-length', String(body.length)] : []),
    // Without a length, Node sends an empty body in chunks, which needs a media type.
    ...(!body && WITH_BODY.has(raw.method ?? '') && !hasBody(raw.headers)
      ? ['content-length', '0']
      : []),
    ...(isChunked ? ['transfer-encoding', 'chunked'] : []),
  ];
}
