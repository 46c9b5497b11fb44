import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A notification as it arrived. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  /** Raw body as UTF-8 text. */
  readonly body: string;
}

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
  /** HTTP status of responses; a function may wait. Default: 200. */
  respond: (notification: Received) => number | Promise<number>;
  /** Resolves with all notifications when so many have arrived. */
  arrived(count: number): Promise<readonly Received[]>;
}

/** Starts an HTTP server that keeps the notifications that it gets. */
export async function createReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const waiting: { readonly count: number; resolve(all: readonly Received[]): void }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const notification = { headers: request.headers, body: Buffer.concat(chunks).toString() };
    received.push(notification);
    for (const { count, resolve } of waiting) if (received.length >= count) resolve(received);
    const status = await receiver.respond(notification);
    response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/notifications`,
    received,
    respond: () => 200,
    arrived: (count) =>
      received.length >= count
        ? Promise.resolve(received)
        : new Promise((resolve) => waiting.push({ count, resolve })),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return receiver;
}
