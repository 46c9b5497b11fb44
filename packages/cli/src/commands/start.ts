import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Credentials, renderBanner } from '../banner.ts';
import { checkExternal, type DatabaseUrls } from '../database/check-external.ts';
import { markExternal, requireOwnDatabase } from '../database/own-database.ts';
import { prepareDatabase } from '../database/prepare-database.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';
import type { DatabaseRole } from '../postgres/passwords.ts';
import { type Postgres, startPostgres } from '../postgres/start-postgres.ts';
import type { ReadyMessage } from '../supervisor/child-message.ts';
import { logShippingService } from '../supervisor/log-shipping-service.ts';
import { postgresService } from '../supervisor/postgres-service.ts';
import type { Stack } from '../supervisor/stack.ts';
import { keyFaultsOf } from './doctor.ts';
import {
  DATABASE,
  egressOf,
  logDirectory,
  type ServiceContext,
  serverService,
  simulatorService,
  vaultService,
  vaultSocket,
} from './services.ts';
import { type Supervised, type SuperviseOptions, supervise } from './supervise.ts';

export interface StartOptions extends SuperviseOptions {
  /** Whether `print` writes to a terminal. */
  readonly terminal: boolean;
}

/** Runs Florin for development until a stop is requested. Resolves with the exit code. */
export async function start(options: StartOptions): Promise<number> {
  const { settings, print } = options;
  if (settings.environment === 'production') throw new PlainFailure(PRODUCTION);
  requireOwnDatabase(settings);
  for (const warning of settings.warnings) print(warning);
  for (const { problem, fix } of keyFaultsOf(settings)) print(`Warning: ${problem} ${fix}`);
  return supervise(options, (context, stack) => startAll({ ...options, ...context }, stack));
}

const PRODUCTION =
  'npm start is for development: it opens a demo merchant and prints its keys. FLORIN_ENV is production: run "npm run florin -- serve server" and "npm run florin -- serve vault", or remove FLORIN_ENV.';

type StartContext = StartOptions & Supervised;

async function startAll(context: StartContext, stack: Stack): Promise<void> {
  const { settings, print } = context;
  const urls = await openDatabase(context, stack);
  const { url, stand_in_urls = [] } = await openNetwork(context, stack);
  const socket = vaultSocket(settings.dataDir);
  print('Starting the vault.');
  const egress = egressOf([url, ...stand_in_urls], settings.inherited.vault.VAULT_EGRESS);
  const vault = {
    socket,
    database_url: urls.vault,
    owner_database_url: urls.owner_of_vault,
    egress,
  };
  await stack.start(vaultService(context, vault));
  print('Starting the server.');
  const server = {
    socket,
    database_url: urls.server,
    owner_database_url: urls.owner,
    simulator_url: url,
  };
  const ready = await stack.start(serverService(context, server));
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
  const start = () => startEmbedded(dataDir, postgresStarted.resolve);
  await stack.start(postgresService({ start, print }));
  const postgres = await postgresStarted.promise;
  await stack.start(logShippingService({ postgres, dataDir, print }));
  writableDirectories.push(postgres.directory);
  print(
    `${postgres.attached ? 'Attached to the running PostgreSQL' : 'PostgreSQL runs'} in ${postgres.directory}.`,
  );
  const url = (role: DatabaseRole) => postgres.url(DATABASE, role);
  return {
    server: url('florin_server'),
    owner: url('florin_owner'),
    ...(vaultDatabaseUrl
      ? { vault: vaultDatabaseUrl }
      : { vault: url('florin_vault'), owner_of_vault: url('florin_owner') }),
  };
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
