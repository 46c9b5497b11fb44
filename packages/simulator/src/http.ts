import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { BankPage } from './acs/html.ts';
import type { Bank } from './acs/site.ts';
import type { Network, Reply } from './network.ts';
import { BadRequest } from './parse.ts';
import { readBody } from './read-body.ts';
import { walletAt } from './wallets/sheet.ts';

/** Longer than callers keep idle connections open, so that callers close them first. */
export const KEEP_ALIVE_MS = 60_000;
/** Interval of sweeps that close idle connections while the server stops, in milliseconds. */
const IDLE_SWEEP_MS = 20;
/** Time that active requests have to finish when the server closes; then their connections are cut. */
const CLOSE_GRACE_MS = 5_000;
const GARBAGE = '<html>502 Bad Gate';
/** Second copies of responses, sent with the next message of their connection. */
const secondResponses = new WeakMap<Socket, string>();

export interface HttpServices {
  readonly network: Network;
  readonly bank: Bank;
  /** The wallet sheet, on the host of the bank's pages with its own paths. */
  readonly walletSheet: Network;
  /** Host name of the bank's pages; all other hosts reach the network. */
  readonly bankHost: string;
  /** Stand-ins of processors, on all hosts but the bank's. */
  readonly standIns: readonly StandIn[];
}

/** Stand-in of a processor: serves all paths below its prefix. */
export interface StandIn {
  /** First part of the path, such as `/checkout-com`. */
  readonly prefix: string;
  serve(request: IncomingMessage, response: ServerResponse): void;
}

/** HTTP server for the network's protocol and the bank's pages. */
export function createHttpServer(services: HttpServices): Server {
  const { network, bank, walletSheet, bankHost, standIns } = services;
  return createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    sendSecondResponse(request);
    const host = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
    const isBankHost = host === bankHost;
    const standIn = standIns.find(({ prefix }) => request.url?.startsWith(`${prefix}/`));
    if (standIn && !isBankHost) standIn.serve(request, response);
    else if (isBankHost && !isWalletSheet(request)) void showPage(bank, request, response);
    else
      void answerRequest(isBankHost ? walletSheet : network, request).then((answer) =>
        send(response, answer),
      );
  });
}

const isWalletSheet = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'POST' && walletAt(url) !== undefined;

/** Stops listening, finishes active requests, and resolves when the last connection is closed. */
export async function closeServer(server: Server): Promise<void> {
  const serverClosed = once(server, 'close');
  server.close();
  const sweepTimer = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  const cutOffTimer = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
  await serverClosed;
  clearInterval(sweepTimer);
  clearTimeout(cutOffTimer);
}

async function answerRequest(network: Network, request: IncomingMessage): Promise<Reply> {
  try {
    const body = request.method === 'POST' ? await readJson(request) : undefined;
    return await network(request.method ?? '', request.url ?? '', body);
  } catch (error) {
    if (error instanceof BadRequest) return { status: 400, body: { error: error.message } };
    if (request.destroyed && !request.complete) return 'hang_up';
    return { status: 500, body: { error: 'The network failed.' } };
  }
}

/** Shows a page of the bank. For a page that never responds, the connection stays open. */
async function showPage(
  bank: Bank,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bank');
    const form =
      request.method === 'POST'
        ? new URLSearchParams((await readBody(request)).toString())
        : searchParams;
    const page = await bank(request.method ?? '', pathname, form);
    if (page) sendPage(response, page);
  } catch {
    response.destroy();
  }
}

const sendPage = (response: ServerResponse, { status, html, headers }: BankPage): void =>
  void response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      ...headers,
    })
    .end(html);

async function readJson(request: IncomingMessage): Promise<unknown> {
  const text = (await readBody(request)).toString();
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new BadRequest('The body is not JSON.');
  }
}

function send(response: ServerResponse, answer: Reply): void {
  if (answer === 'hang_up') {
    response.socket?.resetAndDestroy();
    return;
  }
  const [status, text] =
    answer === 'garbage' ? [200, GARBAGE] : [answer.status, JSON.stringify(answer.body)];
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  const duplicate = typeof answer === 'object' ? answer.duplicate : undefined;
  if (duplicate === 'at_once') {
    // The content length covers only the first response; the bytes after it are the second response.
    const closingHeaders = { ...headers, connection: 'close' };
    response.writeHead(status, closingHeaders).end(text + rawResponseOf(status, headers, text));
    return;
  }
  response.writeHead(status, headers).end(text);
  if (duplicate && response.req.socket) {
    secondResponses.set(response.req.socket, rawResponseOf(status, headers, text));
  }
}

/** A response as bytes on the wire. */
function rawResponseOf(status: number, headers: object, text: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} OK\r\n${lines.join('')}\r\n${text}`;
}

function sendSecondResponse({ socket }: IncomingMessage): void {
  const secondResponse = secondResponses.get(socket);
  if (secondResponse) socket.write(secondResponse);
  secondResponses.delete(socket);
}
