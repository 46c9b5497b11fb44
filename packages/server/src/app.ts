import { resources } from '@florin/contract/resources/index.ts';
import { atPort, type Config } from './config/config.ts';
import { type Credentials, credentialsPath } from './features/demo/credentials.ts';
import { ensureDemo } from './features/demo/seed.ts';
import { createSettler } from './features/payments/settle.ts';
import type { Services } from './features/services.ts';
import { openDoor } from './http/server.ts';
import { createSites } from './http/sites.ts';
import { compileModels } from './jsonapi/model.ts';
import { systemClock } from './kernel/clock.ts';
import { createLogger } from './kernel/logger.ts';
import { createSignal } from './kernel/signal.ts';
import { createProcessors } from './processors/index.ts';
import { createRelay } from './processors/relay.ts';
import { loadCatalog } from './store/catalog.ts';
import { type Database, openDatabase } from './store/db.ts';
import { migrate } from './store/migrate.ts';
import { startAuthoriseLoop } from './work/authorise.ts';
import { startDeliverLoop } from './work/deliver.ts';
import { startResolveLoop } from './work/resolve.ts';

/** A running server. */
export interface App extends AsyncDisposable {
  readonly url: string;
  readonly pay_url: string;
  readonly credentials: Credentials;
  readonly credentials_path: string;
  readonly first_start: boolean;
}

/** Puts the server together and starts it. Throws an `Error` of one plain sentence where it cannot. */
export async function createApp(given: Config): Promise<App> {
  await using stack = new AsyncDisposableStack();
  const door = await openDoor(given);
  stack.defer(() => door.close());
  const config = atPort(given, door.port);
  await migrate(config.database_url);
  const db = stack.use(
    openDatabase({ url: config.database_url, connections_max: config.connections_max }),
  );
  const services = await createServices(config, db);
  stack.defer(() => services.relay.close());
  const demo = await ensureDemo({
    ...services,
    data_dir: config.data_dir,
    base_url: config.public_url,
  });
  const loops = stack.use(startLoops(services));
  const { sites, health } = await createSites(services, demo.credentials);
  await door.serve(sites);
  // Disposal runs backwards: first nothing new is taken, neither requests nor work; then ends what all lean on.
  stack.defer(async () => {
    health.drain();
    await Promise.all([door.close(), loops[Symbol.asyncDispose]()]);
  });
  const running = stack.move();
  return {
    url: config.public_url,
    pay_url: config.pay_url,
    ...demo,
    credentials_path: credentialsPath(config.data_dir),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function createServices(config: Config, db: Database): Promise<Services> {
  const processors = createProcessors({ simulatorUrl: config.simulator_url });
  return {
    config,
    db,
    clock: config.clock ?? systemClock(),
    logger: createLogger(config.log_level),
    catalog: await loadCatalog(db),
    models: compileModels(resources),
    relay: createRelay({ socketPath: config.vault_socket }),
    processorOf: (mode) => (mode === 'sandbox' ? processors.sandbox : undefined),
    wake: { authorise: createSignal(), deliver: createSignal() },
  };
}

/** Starts the work loops; they stop at the same time, each when what it has under way is done. */
function startLoops(services: Services): AsyncDisposable {
  const settle = createSettler(services);
  const loops = [
    startAuthoriseLoop(services, settle),
    startResolveLoop(services, settle),
    startDeliverLoop(services),
  ];
  const stack = new AsyncDisposableStack();
  stack.defer(async () => {
    await Promise.all(loops.map((loop) => loop[Symbol.asyncDispose]()));
  });
  return stack;
}
