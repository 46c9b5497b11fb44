import { type AddressInfo, createServer, type Socket } from 'node:net';
import { addressAt, connectTo } from './lossy-database.ts';

/** A database proxy that drops the traffic of silenced connections without closing them. */
export interface SilentDatabase extends AsyncDisposable {
  readonly url: string;
  /** Silences all open connections. */
  silence(): void;
  /** Sets whether new connections are silent. */
  silenceNew(isSilent: boolean): void;
  /** Number of silenced connections on which a client has sent a statement. */
  queriedConnections(): number;
}

/** First byte of the message with which a client ends its connection. */
const TERMINATE = 'X'.charCodeAt(0);

export async function startSilentDatabase(databaseUrl: string): Promise<SilentDatabase> {
  const state = { silentNew: false };
  const sockets = new Set<Socket>();
  const silentSockets = new Set<Socket>();
  const queriedSockets = new Set<Socket>();
  const trackSocket = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    if (state.silentNew) silentSockets.add(client);
    const upstream = trackSocket(connectTo(new URL(databaseUrl)));
    trackSocket(client).on('data', (chunk) => {
      if (!silentSockets.has(client)) upstream.write(chunk);
      else if (chunk[0] !== TERMINATE) queriedSockets.add(client);
    });
    upstream.on('data', (chunk) => {
      if (!silentSockets.has(client)) client.write(chunk);
    });
    upstream.on('close', () => silentSockets.has(client) || client.destroy());
    client.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: addressAt(databaseUrl, server.address() as AddressInfo),
    silence() {
      for (const socket of sockets) silentSockets.add(socket);
    },
    silenceNew(isSilent) {
      state.silentNew = isSilent;
    },
    queriedConnections: () => queriedSockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
