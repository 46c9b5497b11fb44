import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Overrides } from '@florin/server/app.ts';
import type { Config } from '@florin/server/config/config.ts';
import type { Credentials } from '@florin/server/features/demo/credentials.ts';
import type { VaultOverrides } from '@florin/vault/app.ts';
import { testsPeopleApart } from './config/env.ts';
import { type ClonedDatabase, cloneDatabase } from './databases.ts';
import {
  type SimulatorOptions,
  type StackAddresses,
  startServer,
  startSimulator,
  startVault,
} from './parts.ts';
import { createPeopleApart } from './people-apart.ts';

export type PartName = 'simulator' | 'vault' | 'server';

/** All parts of Florin in this process, on free ports, with a database of their own. */
export interface Stack extends AsyncDisposable {
  readonly baseUrl: string;
  readonly payUrl: string;
  readonly credentials: Credentials;
  readonly dataDir: string;
  /** URL of the database for the owner of all tables. */
  readonly databaseUrl: string;
  /** URL of the database for the server's user, which cannot see the schema of the vault. */
  readonly serverDatabaseUrl: string;
  /** URL of the database of people for the owner of all tables. The same database, unless people are apart. */
  readonly globalDatabaseUrl: string;
  readonly vaultDatabaseUrl: string;
  readonly adminDatabaseUrl: string;
  readonly simulatorUrl: string;
  readonly vaultSocket: string;
  /** Stops one part, so that a test can observe the others without it. */
  stop(part: PartName): Promise<void>;
  /** Starts a stopped part at its previous address. */
  start(part: PartName): Promise<void>;
  restart(part: PartName): Promise<void>;
}

export interface StackOptions extends SimulatorOptions {
  /** Differences from the server's test configuration. */
  readonly config?: Partial<Config>;
  /** Processors that replace the server's own. */
  readonly processors?: Overrides['processors'];
  /** Adapters that replace the server's own. */
  readonly adapters?: Overrides['adapters'];
  /** Changes the migrated, empty database before any part starts. */
  readonly prepare?: (database: ClonedDatabase) => Promise<void>;
  /** Directory whose files the data directory has from the start. */
  readonly files?: string;
  /** Source of the database's time, for tests with diverging clocks. */
  readonly databaseTime?: Overrides['databaseTime'];
  /** Origins in the vault's egress list, in addition to the simulated network. */
  readonly egress?: readonly string[];
  /** The vault's clock, in milliseconds since 1970. */
  readonly vaultClock?: () => number;
}

type Parts = Map<PartName, AsyncDisposable>;

/** Starts a stack. Disposal stops the parts in order and removes their files. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const { config, processors, adapters, databaseTime, egress, vaultClock, prepare, ...others } =
    options;
  const { files, ...network } = others;
  await using cleanup = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  if (files) await cp(files, dataDir, { recursive: true });
  const database = cleanup.use(await cloneDatabase());
  await prepare?.(database);
  const people = testsPeopleApart() ? cleanup.use(await createPeopleApart(database)) : undefined;
  const parts: Parts = new Map();
  cleanup.defer(() => stopAll(parts));

  const simulator = await startSimulator(dataDir, 0, network);
  parts.set('simulator', simulator);
  const addresses: StackAddresses = {
    port: config?.port ?? 0,
    dataDir,
    socketPath: join(dataDir, 'vault.sock'),
    simulatorUrl: simulator.url,
    databaseUrl: database.serverUrl,
    vaultDatabaseUrl: database.vaultUrl,
  };
  parts.set('vault', await startVault(addresses, egress, vaultOverridesOf(vaultClock)));
  // A prepared database may lack migrations, which only its owner applies.
  const owner = prepare && { owner_database_url: database.url };
  const global = people && { global_database_url: people.serverUrl };
  const app = await startServer(
    addresses,
    { ...owner, ...global, ...config },
    { processors, adapters, databaseTime },
  );
  parts.set('server', app);

  const runningParts = cleanup.move();
  // Behind a proxy, the public address has the port of the proxy.
  const fixedAddresses = {
    ...addresses,
    port: addresses.port || Number(new URL(app.url).port),
  };
  return {
    baseUrl: app.url,
    payUrl: app.pay_url,
    credentials: app.credentials as Credentials,
    dataDir,
    databaseUrl: database.url,
    serverDatabaseUrl: database.serverUrl,
    globalDatabaseUrl: people?.url ?? database.url,
    vaultDatabaseUrl: database.vaultUrl,
    adminDatabaseUrl: database.adminUrl,
    simulatorUrl: simulator.url,
    vaultSocket: addresses.socketPath,
    ...createControls(parts, fixedAddresses, { ...options, config: { ...global, ...config } }),
    [Symbol.asyncDispose]: () => runningParts.disposeAsync(),
  };
}

const vaultOverridesOf = (clock: StackOptions['vaultClock']): VaultOverrides => ({
  ...(clock && { clock }),
});

function createControls(
  parts: Parts,
  addresses: StackAddresses,
  { config, processors, adapters, databaseTime, egress, vaultClock, ...network }: StackOptions,
): Pick<Stack, 'stop' | 'start' | 'restart'> {
  const { dataDir, simulatorUrl, port } = addresses;
  const starters: Record<PartName, () => Promise<AsyncDisposable>> = {
    simulator: () => startSimulator(dataDir, Number(new URL(simulatorUrl).port), network),
    vault: () => startVault(addresses, egress, vaultOverridesOf(vaultClock)),
    server: () =>
      startServer(addresses, { ...config, port }, { processors, adapters, databaseTime }),
  };
  const stop = (part: PartName) => stopPart(parts, part);
  const start = async (part: PartName) => {
    if (!parts.has(part)) parts.set(part, await starters[part]());
  };
  return { stop, start, restart: (part) => stop(part).then(() => start(part)) };
}

async function stopPart(parts: Parts, part: PartName): Promise<void> {
  const runningPart = parts.get(part);
  parts.delete(part);
  await runningPart?.[Symbol.asyncDispose]();
}

async function stopAll(parts: Parts): Promise<void> {
  for (const part of ['server', 'vault', 'simulator'] as const) await stopPart(parts, part);
}
