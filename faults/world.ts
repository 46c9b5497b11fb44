import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createStack } from '@florin/cli/supervisor/stack.ts';
import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { startSimulator } from '@florin/dev-env/parts.ts';
import { freePort } from '@florin/dev-env/start-processes.ts';
import type { Credentials } from '@florin/server/features/demo/credentials.ts';
import { type DatabaseFaults, startDatabaseFaults } from './database-faults.ts';
import { createNetworkFaults, type NetworkFaults } from './network-faults.ts';
import type { Plan } from './plan.ts';
import type { Lane } from './run-seed.ts';
import { serviceOf } from './services.ts';

/** Florin in processes that a supervisor starts again, between a network and a database that fail as planned. */
export interface World extends AsyncDisposable {
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly simulatorUrl: string;
  readonly dataDir: string;
  /** The way to the database that does not break, but where PostgreSQL itself does. */
  readonly adminUrl: string;
  readonly network: NetworkFaults;
  readonly database: DatabaseFaults;
  /** Where processes have ended themselves. */
  kills(): readonly string[];
  /** What the supervisor has said. */
  readonly said: readonly string[];
  /** No fault befalls anything any more. */
  calm(): void;
  /** Stops the processes and then the network, whose books can be read from then on. */
  stop(): Promise<void>;
}

export async function startWorld(plan: Plan, { directory, postgresUrl }: Lane): Promise<World> {
  await using cleanup = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(directory, 's-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const own = cleanup.use(await cloneDatabase(postgresUrl));
  const database = cleanup.use(await startDatabaseFaults(plan, own));
  const network = createNetworkFaults(plan);
  const simulator = await startSimulator(dataDir, 0, { faults: network.faultOf });
  const said: string[] = [];
  const [killsFile, calmFile] = [join(dataDir, 'kills'), join(dataDir, 'calm')];
  const stack = createStack({
    say: (sentence) => said.push(sentence),
    giveUp: ({ message }) => said.push(message),
  });
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= stack.stop().then(() => simulator[Symbol.asyncDispose]());
    return stopped;
  };
  cleanup.defer(stop);
  const port = await freePort();
  const settings = {
    port,
    dataDir,
    socketPath: join(dataDir, 'vault.sock'),
    simulatorUrl: simulator.url,
    epoch_ms: Date.now(),
    killsFile,
    calmFile,
  };
  for (const name of ['vault', 'server'] as const) {
    const databaseUrl = name === 'vault' ? database.vaultUrl : database.url;
    await stack.start(
      serviceOf({ name, settings: { ...settings, databaseUrl }, kills: plan.kills[name] }),
    );
  }
  const secretKey = await secretKeyIn(dataDir);
  const running = cleanup.move();
  database.begin();
  return {
    baseUrl: `http://localhost:${port}`,
    secretKey,
    simulatorUrl: simulator.url,
    dataDir,
    adminUrl: own.adminUrl,
    network,
    database,
    kills: () => linesOf(killsFile),
    said,
    calm() {
      network.stop();
      database.stop();
      writeFileSync(calmFile, '');
    },
    stop,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function secretKeyIn(dataDir: string): Promise<string> {
  const text = await readFile(join(dataDir, 'credentials.json'), 'utf8');
  return (JSON.parse(text) as Credentials).sandbox.secret_key;
}

const linesOf = (path: string): string[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as string)
    : [];
