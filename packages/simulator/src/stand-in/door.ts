import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { localOrigin } from '@florin/contract/origin.ts';
import { closeServer, KEEP_ALIVE_MS, type StandIn } from '../http.ts';
import { readBody } from '../read-body.ts';
import { badControl, noContent, notFound, type StandInAnswer } from './answer.ts';
import { DURATION_MS_MAX, isDuration } from './durations.ts';
import { membersOf } from './members.ts';

/**
 * A stand-in with an address of its own. All stand-ins share the simulator's port; only at an own port can one refuse
 * connections. `GET /control/door` tells the address, `POST /control/door {refuse_ms}` refuses connections.
 */
export interface Door extends StandIn, AsyncDisposable {
  /** Listens at a port, or at a free one if that is 0 or in use. Returns the origin. */
  open(port: number): Promise<string>;
}

const CONTROL_PATH = '/control/door';
/** Wait before a port that another process took is tried again, in milliseconds. */
const REOPEN_MS = 1_000;

export function createDoor(standIn: StandIn, host: string): Door {
  const { prefix } = standIn;
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    if (request.url?.startsWith(`${prefix}/`)) serve(request, response);
    else response.writeHead(404).end();
  });
  let url: string | undefined;
  let refusedUntil = 0;
  let closed = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function reopen(): Promise<void> {
    await closed;
    if (url === undefined || server.listening) return;
    // A timer may fire a moment before its time by the clock.
    const refused_ms = refusedUntil - Date.now();
    if (refused_ms > 0) return reopenIn(refused_ms);
    await listen(server, host, Number(new URL(url).port)).catch(() => reopenIn(REOPEN_MS));
  }

  function reopenIn(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void reopen(), ms).unref();
  }

  async function refuse(ms: number): Promise<void> {
    refusedUntil = Date.now() + ms;
    if (ms === 0) return reopen();
    if (server.listening) closed = closeServer(server);
    reopenIn(ms);
  }

  async function control(request: IncomingMessage): Promise<StandInAnswer> {
    if (url === undefined) return notFound;
    if (request.method === 'GET') return { status: 200, body: { url } };
    const { refuse_ms } = membersOf(JSON.parse((await readBody(request)).toString()));
    if (!isDuration(refuse_ms))
      return badControl(`refuse_ms must be milliseconds from 0 to ${DURATION_MS_MAX}.`);
    await refuse(refuse_ms);
    return noContent;
  }

  function serve(request: IncomingMessage, response: ServerResponse): void {
    if (request.url === prefix + CONTROL_PATH) void answerControl(request, response);
    else standIn.serve(request, response);
  }

  async function answerControl(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = control(request).catch(() => badControl('The body must be JSON.'));
    const { status, body } = await answer;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  }

  return {
    prefix,
    serve,
    async open(port) {
      url = await listen(server, host, port).catch(() => listen(server, host, 0));
      return url;
    },
    async [Symbol.asyncDispose]() {
      url = undefined;
      clearTimeout(timer);
      if (server.listening) closed = closeServer(server);
      await closed;
    },
  };
}

/** Returns the origin. */
async function listen(server: Server, host: string, port: number): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  return localOrigin(host, (server.address() as AddressInfo).port);
}
