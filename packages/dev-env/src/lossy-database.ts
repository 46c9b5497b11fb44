import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Fate of the response to a write: `pass`, `lose` (its connection breaks) or `cut` (all connections break). */
export type ResponseHandling = 'pass' | 'lose' | 'cut';

/** A database proxy that breaks connections and can lose the responses to commits. */
export interface LossyDatabase extends AsyncDisposable {
  readonly url: string;
  /**
   * Breaks the connection of the next commit after PostgreSQL committed and before the client receives the response.
   */
  loseNextCommit(): void;
  /** Whether a requested loss of a commit is still outstanding. */
  losing(): boolean;
}

/** PostgreSQL's message for a committed transaction. */
const COMMITTED = Buffer.from('COMMIT\0');
/** Messages for commits, and for writes that were transactions of their own or parts of one. */
const WRITTEN = /(?:COMMIT|INSERT 0 [1-9]\d*|UPDATE [1-9]\d*)\0/;

/** Starts the proxy. `chooseHandling` is called once for each response to a write. */
export async function startLossyDatabase(
  databaseUrl: string,
  chooseHandling: () => ResponseHandling = () => 'pass',
): Promise<LossyDatabase> {
  const state = { losing: false };
  const sockets = new Set<Socket>();
  const trackSocket = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const handlingFor = (chunk: Buffer): ResponseHandling => {
    if (state.losing && chunk.includes(COMMITTED)) {
      state.losing = false;
      return 'lose';
    }
    return WRITTEN.test(chunk.toString('latin1')) ? chooseHandling() : 'pass';
  };
  const server = createServer((client) => {
    const upstream = connectTo(new URL(databaseUrl));
    for (const [source, target] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      trackSocket(source).on('close', () => target.destroy());
    }
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      const handling = handlingFor(chunk);
      if (handling === 'pass') client.write(chunk);
      else if (handling === 'lose') client.destroy();
      else for (const socket of sockets) socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: addressAt(databaseUrl, server.address() as AddressInfo),
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

/** Returns the URL of a database behind a proxy on this machine. Other parameters, such as the schema, stay. */
export function addressAt(databaseUrl: string, { port }: AddressInfo): string {
  const url = new URL(databaseUrl);
  for (const place of ['host', 'port']) url.searchParams.delete(place);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return url.href;
}

/** Connects to a port, or to the socket in the directory that the URL's `host` parameter names. */
export function connectTo({ hostname, port, searchParams }: URL): Socket {
  const directory = searchParams.get('host');
  if (!directory) return connect(Number(port), hostname);
  return connect(`${directory}/.s.PGSQL.${searchParams.get('port')}`);
}
