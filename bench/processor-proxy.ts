import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A processor with an origin of its own: forwards connections to the stand-in, and disturbs them. */
export interface ProcessorProxy extends AsyncDisposable {
  readonly url: string;
  /** Delay of each answer in milliseconds. Infinite: no answer comes. */
  latency_ms: number;
  /** Refuses connections and ends the open ones until `restore`. */
  fail(): Promise<void>;
  restore(): Promise<void>;
}

/** Starts a proxy to a port of this machine, which may have no listener yet. */
export async function startProcessorProxy(targetPort: number): Promise<ProcessorProxy> {
  const sockets = new Set<Socket>();
  const proxy = { latency_ms: 0 };
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
  };
  const server = createServer({ noDelay: true }, (client) => {
    const target = keep(connect({ port: targetPort, host: '127.0.0.1', noDelay: true }));
    keep(client).pipe(target);
    target.on('data', (bytes) => {
      if (proxy.latency_ms === 0) client.write(bytes);
      else if (Number.isFinite(proxy.latency_ms))
        setTimeout(() => client.writable && client.write(bytes), proxy.latency_ms);
    });
    client.on('close', () => target.destroy());
    target.on('close', () => client.destroy());
  });
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  const end = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${port}`,
    fail: end,
    restore: () => listen(server, port),
    [Symbol.asyncDispose]: () => (server.listening ? end() : Promise.resolve()),
  });
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}
