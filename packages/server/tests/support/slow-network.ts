import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { startServer, startSimulator, startVault } from '@florin/dev-env/parts.ts';
import type { Overrides } from '@florin/server/app.ts';
import type { Config } from '@florin/server/config/config.ts';
import type { Credentials } from '@florin/server/features/demo/credentials.ts';

interface Message {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

interface SimulatedResponse {
  readonly status: number;
  readonly body: string;
}

/** A stack that lets tests observe, delay and answer its messages to the network. */
export interface SlowNetwork extends AsyncDisposable {
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly payUrl: string;
  readonly databaseUrl: string;
  readonly credentials: Credentials;
  readonly simulatorUrl: string;
  readonly adminDatabaseUrl: string;
  /** Called with each message, which is forwarded when the promise resolves. */
  onMessage: (message: Message) => Promise<void>;
  /** Returns a response for a message that must not be forwarded. */
  answerTo: (message: Message) => SimulatedResponse | undefined;
}

type Behaviour = Pick<SlowNetwork, 'onMessage' | 'answerTo'>;

/** Parts that replace the server's own, and the clock of the vault for tests of clock differences. */
interface SlowNetworkOverrides extends Pick<Overrides, 'databaseTime' | 'processors'> {
  /** Milliseconds since 1970. */
  readonly vaultClock?: () => number;
}

export async function startSlowNetwork(
  config: Partial<Config>,
  { vaultClock, ...overrides }: SlowNetworkOverrides = {},
): Promise<SlowNetwork> {
  await using cleanup = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const database = cleanup.use(await cloneDatabase());
  const simulator = cleanup.use(await startSimulator(dataDir, 0));
  const network: Behaviour = { onMessage: async () => {}, answerTo: () => undefined };
  const proxy = createServer(async (request, response) => {
    const answer = await forwardMessage(simulator.url, request, network).catch(() => undefined);
    if (!answer) response.destroy();
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  cleanup.defer(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const wiring = {
    port: 0,
    dataDir,
    socketPath: join(dataDir, 'vault.sock'),
    simulatorUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    databaseUrl: database.serverUrl,
    vaultDatabaseUrl: database.vaultUrl,
  };
  cleanup.use(await startVault(wiring, [], { ...(vaultClock && { clock: vaultClock }) }));
  const app = cleanup.use(await startServer(wiring, config, overrides));
  const resources = cleanup.move();
  return Object.assign(network, {
    baseUrl: app.url,
    dataDir,
    payUrl: app.pay_url,
    databaseUrl: database.url,
    credentials: app.credentials as Credentials,
    simulatorUrl: simulator.url,
    adminDatabaseUrl: database.adminUrl,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  });
}

async function forwardMessage(
  simulatorUrl: string,
  request: IncomingMessage,
  { onMessage, answerTo }: Behaviour,
): Promise<SimulatedResponse> {
  const body = await text(request);
  const { method = 'GET', url = '/' } = request;
  // The path begins with the network's name.
  const path = url.replace(/^\/networks\/[^/]+/, '');
  await onMessage({ method, path, body });
  const simulatedResponse = answerTo({ method, path, body });
  if (simulatedResponse) return simulatedResponse;
  const answer = await fetch(simulatorUrl + url, {
    method,
    ...(method === 'POST' && { body, headers: { 'content-type': 'application/json' } }),
  });
  return { status: answer.status, body: await answer.text() };
}

/** Creates a closed gate. `reached` resolves when the first caller waits at the gate. */
export function createGate() {
  const arrival = Promise.withResolvers<void>();
  const opening = Promise.withResolvers<void>();
  return {
    reached: arrival.promise,
    open: () => opening.resolve(),
    pass(): Promise<void> {
      arrival.resolve();
      return opening.promise;
    },
  };
}
