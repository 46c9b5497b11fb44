import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Responds to the `nth` request (from 0) to its path: returns a status, or uses the response itself. */
export type Reply = (nth: number, response: ServerResponse) => number | undefined;

export interface Receiver extends AsyncDisposable {
  readonly origin: string;
  readonly requests: ReceivedRequest[];
  requestsTo(path: string): ReceivedRequest[];
}

/** A merchant's local server, which responds to each path differently and records its requests. */
export async function startReceiver(replies: Record<string, Reply>, port = 0): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const requestsTo = (path: string) => requests.filter((request) => request.path === path);
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const body = await text(request);
    const nth = requestsTo(path).length;
    requests.push({ path, headers: request.headers, body });
    const status = replies[path]?.(nth, response);
    if (status !== undefined) response.writeHead(status).end('thank you');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    requestsTo,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
