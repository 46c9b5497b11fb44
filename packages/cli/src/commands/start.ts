import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Credentials, renderBanner } from '../banner.ts';
import type { StartSettings } from '../config/env.ts';
import { checkExternal, type DatabaseUrls } from '../database/check-external.ts';
import { markExternal, requireOwnDatabase } from '../database/own-database.ts';
import { prepareDatabase } from '../database/prepare-database.ts';
import { describeFailure } from '../kernel/plain-failure.ts';
import { type Postgres, startPostgres } from '../postgres/start-postgres.ts';
import type { ReadyMessage } from '../supervisor/child-message.ts';
import { isDiskFull } from '../supervisor/disk-full.ts';
import { clearLeftovers, createChildRecorder } from '../supervisor/leftovers.ts';
import { takeLock } from '../supervisor/lock.ts';
import { postgresService } from '../supervisor/postgres-service.ts';
import { createStack, type Stack } from '../supervisor/stack.ts';
import {
  DATABASE,
  logDirectory,
  type ServiceContext,
  serverService,
  simulatorService,
  vaultService,
  vaultSocket,
} from './services.ts';

export interface StartOptions {
  readonly settings: StartSettings;
  readonly packages: string;
  readonly print: (text: string) => void;
  /** Whether `print` writes to a terminal. */
  readonly terminal: boolean;
  /** Registers a callback for stop requests. The first request stops the services in order, the second kills them. */
  readonly onStopRequest: (stop: () => void) => void;
}

/** Runs Florin until a stop is requested. Resolves with the exit code. */
export async function start(options: StartOptions): Promise<number> {
  const { settings, print } = options;
  requireOwnDatabase(settings);
  for (const warning of settings.warnings) print(warning);
  using lock = await takeLock(settings.dataDir);
  const children = join(settings.dataDir, 'children.json');
  await clearLeftovers(children);

  const exit = Promise.withResolvers<number>();
  const fail = (failure: unknown) => {
    if (requests === 0) print(describeFailure(failure));
    exit.resolve(1);
  };
  const writableDirectories = [settings.dataDir];
  const stack = createStack({ print, fail, diskFull: () => isDiskFull(writableDirectories) });
  let requests = 0;
  options.onStopRequest(() => {
    requests += 1;
    if (requests === 1)
      print('Stopping: requests in progress may finish. Press Ctrl-C again to stop immediately.');
    else stack.stop(0).catch(() => {});
    exit.resolve(0);
  });
  startAll(
    { ...options, onSpawn: createChildRecorder(children), writableDirectories },
    stack,
  ).catch(fail);

  const code = await exit.promise;
  lock.markStopping();
  await stack.stop();
  if (requests > 0) print('Stopped.');
  return code;
}

interface StartContext extends ServiceContext, StartOptions {
  /**
   * Directories that services write to, for the check of free disk space. The database's directory is added later.
   */
  readonly writableDirectories: string[];
}

async function startAll(context: StartContext, stack: Stack): Promise<void> {
  const { settings, print } = context;
  const urls = await openDatabase(context, stack);
  const { url, stand_in_urls = [] } = await openNetwork(context, stack);
  const socket = vaultSocket(settings.dataDir);
  print('Starting the vault.');
  await stack.start(vaultService(context, socket, urls, [url, ...stand_in_urls]));
  print('Starting the server.');
  const ready = await stack.start(serverService(context, socket, urls, url));
  print(await bannerOf(ready, context));
  if (ready.notice) print(ready.notice);
}

/** Returns the card network's addresses: the configured address, or those of a simulator started here. */
async function openNetwork(
  context: ServiceContext & StartOptions,
  stack: Stack,
): Promise<{ readonly url: string; readonly stand_in_urls?: readonly string[] }> {
  const { settings, print } = context;
  if (settings.simulatorUrl) return { url: settings.simulatorUrl };
  print('Starting the simulated card network.');
  const { url = '', stand_in_urls = [] } = await stack.start(simulatorService(context));
  return { url, stand_in_urls };
}

async function openDatabase(
  {
    settings: { dataDir, databaseUrl, vaultDatabaseUrl },
    print,
    writableDirectories,
  }: StartContext,
  stack: Stack,
): Promise<DatabaseUrls> {
  if (databaseUrl) {
    print('Checking the database of DATABASE_URL.');
    const urls = await checkExternal(databaseUrl, dataDir, vaultDatabaseUrl);
    markExternal(dataDir);
    if (urls.warning) print(urls.warning);
    return urls;
  }
  print('Starting PostgreSQL.');
  const postgresStarted = Promise.withResolvers<Postgres>();
  await stack.start(postgresService(() => startEmbedded(dataDir, postgresStarted.resolve)));
  const postgres = await postgresStarted.promise;
  writableDirectories.push(postgres.directory);
  print(
    `${postgres.attached ? 'Attached to the running PostgreSQL' : 'PostgreSQL runs'} in ${postgres.directory}.`,
  );
  const url = (role: 'florin_server' | 'florin_vault') => postgres.url(DATABASE, role);
  return { server: url('florin_server'), vault: vaultDatabaseUrl ?? url('florin_vault') };
}

async function startEmbedded(
  dataDir: string,
  onStarted: (postgres: Postgres) => void,
): Promise<Postgres> {
  const postgres = await startPostgres({ dataDir });
  const { url: adminUrl, passwords } = postgres;
  await prepareDatabase({ adminUrl, passwords }, DATABASE);
  onStarted(postgres);
  return postgres;
}

async function bannerOf(
  ready: ReadyMessage,
  { settings: { dataDir }, terminal }: StartContext,
): Promise<string> {
  const { credentials_path = join(dataDir, 'credentials.json'), first_start = false } = ready;
  const credentials = JSON.parse(await readFile(credentials_path, 'utf8')) as Credentials;
  const log_directory = logDirectory(dataDir);
  return renderBanner({ credentials, credentials_path, first_start, log_directory, terminal });
}
