import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { problem } from '@florin/contract/errors.ts';
import type { FastifyReply } from 'fastify';

/** A cell and the address of its servers. */
export interface CellAddress {
  readonly name: string;
  readonly url: URL;
}

/** Connections of a router to one cell. A cell that hangs must not take all sockets of the process. */
const CONNECTIONS_MAX = 1_024;
/** Requests to one cell that wait for a connection. Further ones are refused at once. */
const WAITING_MAX = 256;
/** Longest wait for the head of an answer. No request of Florin takes as long. */
const ANSWER_MS = 90_000;

/** Sends requests to cells over connections that stay open. */
export interface CellClient extends Disposable {
  /**
   * Sends the request of a reply to a cell, and resolves with the head of its answer. Rejects with `CellDown` if the cell
   * does not answer.
   */
  send(cell: CellAddress, reply: FastifyReply, changes?: RequestChanges): Promise<IncomingMessage>;
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

export function createCellClient(): CellClient {
  const options = { keepAlive: true, maxSockets: CONNECTIONS_MAX };
  const [http, https] = [new HttpAgent(options), new HttpsAgent(options)];
  const openCounts = new Map<string, number>();
  const countOpen = (name: string, change: number): number => {
    const count = (openCounts.get(name) ?? 0) + change;
    openCounts.set(name, count);
    return count;
  };
  return {
    send({ name, url }, { request, raw: response }, changes = {}) {
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      const { raw, id, method } = request;
      const { answer_ms = ANSWER_MS } = changes;
      const obstacle = findObstacle(raw, response, changes);
      if (obstacle) return Promise.reject(new CellDown(name, new Error(obstacle)));
      if (countOpen(name, 1) > CONNECTIONS_MAX + WAITING_MAX) {
        countOpen(name, -1);
        return Promise.reject(new CellDown(name, new Error('too many requests wait')));
      }
      const isSecure = url.protocol === 'https:';
      const sent = (isSecure ? httpsRequest : httpRequest)({
        agent: isSecure ? https : http,
        host: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port || (isSecure ? 443 : 80),
        ...(isSecure && { servername: url.hostname }),
        method,
        path: raw.url,
        headers: headersTo(raw, id, changes),
      });
      const timer = setTimeout(() => sent.destroy(new Error('no answer in time')), answer_ms);
      sent.once('close', () => {
        clearTimeout(timer);
        countOpen(name, -1);
      });
      sent.once('response', (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      sent.on('error', (error) => {
        raw.unpipe(sent).resume();
        reject(new CellDown(name, error));
      });
      // A client that left needs no answer.
      response.once('close', () => response.writableFinished || sent.destroy());
      if (changes.body) sent.end(changes.body);
      else if (hasBody(raw.headers)) raw.pipe(sent);
      else sent.end();
      return promise;
    },
    [Symbol.dispose]() {
      http.destroy();
      https.destroy();
    },
  };
}

/** Passes an answer on, with its headers as they are. */
export async function relay(reply: FastifyReply, answer: IncomingMessage): Promise<void> {
  reply.hijack();
  reply.raw.writeHead(answer.statusCode as number, endToEnd(answer));
  // A connection that breaks in the middle of a body breaks on both sides.
  await pipeline(answer, reply.raw).catch(() => reply.raw.destroy());
}

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

/**
 * Headers of a request to a cell, with the framing of its body. Without framing, Node would write the body of a `DELETE`
 * as it is, and the cell would read a further request.
 */
function headersTo(
  raw: IncomingMessage,
  request_id: string,
  { body, is_plain }: RequestChanges,
): string[] {
  const { 'x-forwarded-for': before, 'transfer-encoding': coding } = raw.headers;
  const isChunked = coding !== undefined && !body;
  const replaced = [
    ...['x-forwarded-for', 'x-request-id'],
    ...(body || isChunked ? ['content-length'] : []),
    ...(is_plain ? ['accept-encoding', 'if-none-match'] : []),
  ];
  return [
    ...endToEnd(raw, replaced),
    ...['x-forwarded-for', [before, raw.socket.remoteAddress].filter(Boolean).join(', ')],
    ...['x-request-id', request_id],
    ...(body ? ['content-length', String(body.length)] : []),
    // Without a length, Node sends an empty body in chunks, which needs a media type.
    ...(!body && WITH_BODY.has(raw.method ?? '') && !hasBody(raw.headers)
      ? ['content-length', '0']
      : []),
    ...(isChunked ? ['transfer-encoding', 'chunked'] : []),
  ];
}
