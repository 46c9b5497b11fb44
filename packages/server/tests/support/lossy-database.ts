import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a database on which the answers to commits can get lost. */
export interface LossyDatabase extends AsyncDisposable {
  readonly url: string;
  /** Breaks the connection of the next commit when it has been made, before its client hears so. */
  loseNextCommit(): void;
  /** Whether a commit is still to be lost. */
  losing(): boolean;
}

/** What PostgreSQL says when a transaction is committed. */
const COMMITTED = Buffer.from('COMMIT\0');

export async function startLossyDatabase(databaseUrl: string): Promise<LossyDatabase> {
  const state = { losing: false };
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    const upstream = connectTo(new URL(databaseUrl));
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      keep(one).on('close', () => other.destroy());
    }
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      if (!state.losing || !chunk.includes(COMMITTED)) client.write(chunk);
      else {
        state.losing = false;
        client.destroy();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.search = '';
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    loseNextCommit() {
      state.losing = true;
    },
    losing: () => state.losing,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** To a port, or to the socket in a directory that the address names as `host`. */
function connectTo({ hostname, port, searchParams }: URL): Socket {
  const directory = searchParams.get('host');
  if (!directory) return connect(Number(port), hostname);
  return connect(`${directory}/.s.PGSQL.${searchParams.get('port')}`);
}
