import { setTimeout as sleep } from 'node:timers/promises';
import type { MigrationEvent } from '@florin/contract/migrations/migration.ts';
import { localOrigin } from '@florin/contract/origin.ts';
import { permissionsOf } from '@florin/contract/permissions.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { Registry } from 'prom-client';
import {
  type Config,
  listenAddressOf,
  mailTransportOf,
  runsWork,
  servesRequests,
  withPort,
} from './config/config.ts';
import { openDirectory } from './features/cells/directory.ts';
import { stopMovedAtStart } from './features/cells/stop-moved.ts';
import { createStops } from './features/cells/stops.ts';
import { type Credentials, credentialsPath } from './features/demo/credentials.ts';
import { openDemo } from './features/demo/open-demo.ts';
import { startFirstOrders } from './features/demo/start-orders.ts';
import { createDocumentRenderer } from './features/documents/render.ts';
import { anchorLedger } from './features/ledger/workers/balance.ts';
import { createCallers } from './features/merchants/sql/callers.ts';
import { storePermissions } from './features/merchants/sql/permissions.ts';
import { createPaymentsInFlight } from './features/payments/slots/in-flight.ts';
import { createEmailLimits } from './features/people/emails/limits.ts';
import { createAccountKeys } from './features/processor-accounts/account-keys.ts';
import { createProcessorAccounts } from './features/processor-accounts/accounts.ts';
import { reactions } from './features/reactions.ts';
import { ownNetworkUrl } from './features/sandbox/own-network.ts';
import { createTimelines } from './features/timelines/timelines.ts';
import { checkSecretsKeyFile } from './features/webhooks/signing/keys-file.ts';
import { findLostKey } from './features/webhooks/signing/lost-key.ts';
import { ownSecretsKeys } from './features/webhooks/signing/own-keys.ts';
import { createBatchSizes } from './http/health/batch-metrics.ts';
import { openLogs } from './http/health/open-logs.ts';
import { createPoolMetrics } from './http/health/pool-metrics.ts';
import { SERVER_VERSION } from './http/health/process-metrics.ts';
import { createProcessorMetrics } from './http/health/processor-metrics.ts';
import { openServer, type ServerAddress } from './http/server.ts';
import {
  createDashboardLimiter,
  READ_CONNECTIONS_MAX,
  READ_TIMEOUT_MS,
} from './jsonapi/filter-to-sql/read-limits.ts';
import { compileModels } from './jsonapi/model.ts';
import { expectedTables } from './jsonapi/schema/tables.ts';
import { createSealer } from './platform/crypto/sealer.ts';
import { createSigner } from './platform/crypto/signer.ts';
import { loadCatalog } from './platform/database/catalog.ts';
import { databaseNow } from './platform/database/database-now.ts';
import {
  type Database,
  type DatabaseLimits,
  type Db,
  openDatabase,
} from './platform/database/db.ts';
import { createLoggedDatabaseHealth, type DatabaseHealth } from './platform/database/health.ts';
import {
  type InstanceSecretName,
  openInstanceSecrets,
} from './platform/database/installation/instance-secrets.ts';
import { isSamePlace } from './platform/database/installation/place.ts';
import {
  openRestoreGate,
  type RestoreGate,
} from './platform/database/installation/restore-gate.ts';
import { loginOf, type MigrateOptions, migrate } from './platform/database/migrate.ts';
import { requireIndexes } from './platform/database/schema/index-check.ts';
import type { Logger } from './platform/logger.ts';
import { exportTelemetry } from './platform/telemetry/export-telemetry.ts';
import type { Telemetry } from './platform/telemetry/tracing.ts';
import { type Micros, systemClock } from './platform/time/clock.ts';
import { startClockWatch } from './platform/time/clock-watch.ts';
import { createDueWatch } from './platform/workers/due-watch.ts';
import { createLoopStatuses } from './platform/workers/loop-statuses.ts';
import type { Signal } from './platform/workers/signal.ts';
import { adapters as ownAdapters } from './processors/adapters/index.ts';
import { createProcessors, type Processors, type ProcessorsConfig } from './processors/index.ts';
import { createRelay } from './processors/wire/relay.ts';
import { createVaultWatch, type VaultWatch } from './processors/wire/vault-watch.ts';
import { openVaults, type Vaults } from './processors/wire/vaults.ts';
import type { Services } from './services.ts';
import { createSites } from './sites/sites.ts';
import { createWorkerSite } from './sites/worker-site.ts';
import { createWorkSignals, startListening } from './work-signals.ts';
import { startLoops } from './workers.ts';

/** A running server. */
export interface App extends AsyncDisposable {
  readonly url: string;
  readonly pay_url: string;
  /** Keys and login of the demo merchant, and their file; undefined in production. */
  readonly credentials: Credentials | undefined;
  readonly credentials_path: string | undefined;
  readonly first_start: boolean;
  /** Advice to operators about problems, a line each; undefined without a problem. */
  readonly notice: string | undefined;
}

/** Parts that replace the server's own, for programs and tests. */
export interface Overrides {
  readonly processors?: ((config: ProcessorsConfig) => Processors) | undefined;
  /** Adapters to payment processors, by name. */
  readonly adapters?: Services['adapters'] | undefined;
  /** Reads the database's time. If absent and the configuration has its own clock, clocks are not compared. */
  readonly databaseTime?: ((db: Db) => Promise<Micros>) | undefined;
  /** Timeouts of database statements and connections. */
  readonly database_limits?: DatabaseLimits | undefined;
}

/** Assembles the server and starts it. On failure throws an `Error` with one sentence for people. */
export async function createApp(configAtStart: Config, overrides: Overrides = {}): Promise<App> {
  await using stack = new AsyncDisposableStack();
  const server = await openServer(serverAddressOf(configAtStart));
  stack.defer(() => server.close());
  const config = servesRequests(configAtStart)
    ? withPort(configAtStart, server.port)
    : configAtStart;
  const metrics = new Registry();
  const logs = openLogs(config, metrics);
  const { logger } = logs;
  if (config.telemetry) stack.use(await exportMetrics(config, config.telemetry, metrics));
  await prepareStart(config, logger);
  const database_health = createLoggedDatabaseHealth(logger, config.monotonic_ms);
  const pools = await openPools(config, { metrics, database_health, ...overrides });
  const { db } = pools;
  for (const pool of new Set(Object.values(pools))) stack.use(pool);
  const clock = config.clock ?? systemClock();
  const { wake, timelines_wake } = stack.use(createWorkSignals({ config, db, logger }));
  const onUp = (): void => wake.authorise.raise();
  const { databaseTime = config.clock ? undefined : databaseNow } = overrides;
  const readTime = databaseTime && (() => databaseTime(db));
  const clocks = stack.use(await startClockWatch({ clock, logger, databaseTime: readTime }));
  const vaults = stack.use(openVaults(config.vaults, { logger }));
  const vault = stack.use(await createVaultWatch({ vaults, clock, clocks, logger, onUp }));
  const restore_gate = stack.use(await openRestoreGate({ db, logger }));
  const state = { clocks, database_health, vault, restore_gate };
  const deps = { config, clock, ...logs, ...pools, wake, ...state };
  const batch_sizes = createBatchSizes(metrics);
  const parts = { ...createMeteredRelay(vaults, vault, metrics), batch_sizes, timelines_wake };
  const services = await createServices({ ...deps, ...parts }, overrides);
  await anchorLedger(services);
  await services.timelines.refresh();
  stack.defer(() => services.account_keys.close());
  for (const part of [services.documents, services.instance_secrets]) stack.use(part);
  await requireIndexes(db, expectedTables(services.models));
  await storePermissions(services, permissionsOf(resources));
  const notices = [await findLostKey(services), mailNotice(config), closedNotice(restore_gate)];
  const demo = servesRequests(config) ? await openDemo(services) : undefined;
  const loops = stack.use(startLoops(services));
  if (runsWork(config)) stack.use(startListening(services));
  const { sites, health } = servesRequests(config)
    ? await createSites(services, demo?.credentials, metrics)
    : createWorkerSite(services, metrics);
  await server.serve(sites, config.public_url);
  // Disposal runs backwards: requests and work loops stop first, shared resources last.
  stack.defer(async () => {
    health.drain();
    if (servesRequests(config)) await sleep(config.drain_ms);
    await Promise.all([server.close(), loops[Symbol.asyncDispose]()]);
  });
  if (demo?.has_first_orders) stack.use(startFirstOrders(services, demo.credentials));
  const startedResources = stack.move();
  return {
    url: servesRequests(config)
      ? config.public_url
      : localOrigin(config.private_listen.host, server.port),
    pay_url: config.pay_url,
    credentials: demo?.credentials,
    credentials_path: demo && credentialsPath(config.data_dir),
    first_start: demo?.first_start ?? false,
    notice: notices.filter(Boolean).join('\n') || undefined,
    [Symbol.asyncDispose]: () => startedResources.disposeAsync(),
  };
}

/** The relay to the vaults, and the metrics of processors. */
function createMeteredRelay(vaults: Vaults, watch: VaultWatch, metrics: Registry) {
  const processor_metrics = createProcessorMetrics();
  processor_metrics.register(metrics);
  return { processor_metrics, relay: createRelay({ vaults, watch }) };
}

const exportMetrics = (
  { environment }: Config,
  telemetry: Telemetry,
  register: Registry,
): Promise<AsyncDisposable> =>
  exportTelemetry({
    ...telemetry,
    register,
    environment,
    service: 'florin-server',
    version: SERVER_VERSION,
  });

/** Connections of a process to the database of people, where they are apart. */
const GLOBAL_CONNECTIONS_MAX = 4;

interface PoolsOptions extends Pick<Overrides, 'database_limits'> {
  readonly metrics: Registry;
  readonly database_health: DatabaseHealth;
}

/**
 * Opens the pool of changes and work loops, that of reads by API requests, and that of people if they are apart. Two
 * addresses of one database get one pool: transactions of two pools would wait for each other.
 */
async function openPools(
  { database_url: url, global_database_url, connections_max }: Config,
  { metrics, database_health, database_limits }: PoolsOptions,
): Promise<{ readonly db: Database; readonly global: Database; readonly reads: Database }> {
  const isApart = global_database_url && !(await isSamePlace(url, global_database_url));
  const pools = createPoolMetrics(metrics);
  const db = openDatabase({
    url,
    connections_max,
    health: database_health,
    onWait: pools.observerOf('work'),
    ...database_limits,
  });
  const reads = openDatabase({
    url,
    connections_max: READ_CONNECTIONS_MAX,
    statement_timeout_ms: READ_TIMEOUT_MS,
    onWait: pools.observerOf('reads'),
    ...database_limits,
  });
  pools.track('work', db);
  if (db.usageOfKept) pools.track('polls', { usage: db.usageOfKept });
  pools.track('reads', reads);
  if (!isApart) return { db, global: db, reads };
  const global = openDatabase({
    url: global_database_url,
    connections_max: GLOBAL_CONNECTIONS_MAX,
    onWait: pools.observerOf('global'),
    ...database_limits,
  });
  pools.track('global', global);
  return { db, global, reads };
}

function serverAddressOf(config: Config): ServerAddress {
  const { host, port } = listenAddressOf(config);
  const advice = 'choose another one with FLORIN_PRIVATE_LISTEN';
  return { host, port, ...(!servesRequests(config) && { advice }) };
}

/** Looks at the keys before anything changes, then migrates. */
function prepareStart(config: Config, logger: Logger) {
  checkSecretsKeyFile(config, logger);
  return migrateAsOwner(config, logger);
}

/** Without a login for migrations, that of the server applies them where it may, and otherwise checks that none is missing. */
async function migrateAsOwner(
  { database_url, owner_database_url, global_database_url }: Config,
  logger: Logger,
): Promise<void> {
  const options = { report: reportMigrations(logger), runs_on_newer: true };
  await migrate(owner_database_url ?? database_url, {
    ...options,
    ...(owner_database_url && { grant_to: loginOf(database_url) }),
  });
  if (global_database_url) await migrate(global_database_url, options);
}

const mailNotice = (config: Config): string | undefined =>
  mailTransportOf(config) === 'none'
    ? 'Warning: this server sends no email, so nobody can register, invite members or reset a password. Set FLORIN_SMTP_URL and FLORIN_MAIL_FROM.'
    : undefined;

const closedNotice = (gate: RestoreGate): string | undefined =>
  gate.restoredTo() &&
  `This Florin was restored to ${gate.restoredTo()} and is closed: it sends nothing, and refuses payments. Run "npm run florin -- restore learn", then "npm run florin -- restore report" and "npm run florin -- restore open".`;

const MIGRATION_MESSAGES: Readonly<Record<MigrationEvent['event'], string>> = {
  start_waits_for_database: 'start waits for the database',
  migration_applied: 'migration applied',
  migration_queued: 'migration waits for another process',
  migration_waits: 'migration waits for locks',
  migration_progress: 'migration goes on',
};

const EXPECTED: ReadonlySet<MigrationEvent['event']> = new Set([
  'migration_applied',
  'migration_progress',
]);

const reportMigrations =
  (logger: Logger): MigrateOptions['report'] =>
  (event) =>
    logger[EXPECTED.has(event.event) ? 'info' : 'warn'](event, MIGRATION_MESSAGES[event.event]);

/** Resources that the services use and the server closes. */
interface AppResources
  extends Pick<
    Services,
    | 'config'
    | 'clock'
    | 'clocks'
    | 'logger'
    | 'access_logger'
    | 'db'
    | 'global'
    | 'reads'
    | 'database_health'
    | 'restore_gate'
    | 'processor_metrics'
    | 'batch_sizes'
    | 'wake'
    | 'relay'
  > {
  readonly vault: VaultWatch;
  /** Wakes the check of the timelines. */
  readonly timelines_wake: Signal;
}

async function createServices(
  { timelines_wake, vault, ...appResources }: AppResources,
  { processors: createProcessorsOf = createProcessors, adapters = ownAdapters }: Overrides,
): Promise<Services> {
  const { config, clock, logger, db, global, wake } = appResources;
  const { simulator_url } = config;
  const simulatorUrl = await ownNetworkUrl({ db, logger, simulator_url });
  const processors = simulatorUrl ? createProcessorsOf({ simulatorUrl }) : createProcessors();
  const timelines = createTimelines(db, () => services, timelines_wake);
  const sealer = createSealer(await ownSecretsKeys({ db, config }));
  const instance_secrets = await openInstanceSecrets({ db: global, sealer, clock, logger });
  const signerOf = (name: InstanceSecretName) => createSigner(instance_secrets.ringOf(name));
  const access_signer = signerOf('access_tries');
  const { monotonic_ms } = config;
  const accounts = await createProcessorAccounts({ db, monotonic_ms, adapters, logger });
  const openCell = (url: string): Database => openDatabase({ url, connections_max: 1 });
  await stopMovedAtStart({ db, global, sealer, open: openCell, clock, logger });
  const services: Services = {
    ...appResources,
    stops: createStops({ db, monotonic_ms, logger }),
    directory: await openDirectory({ db, global, clock, monotonic_ms, logger }),
    system_clock: clock,
    dashboard_limiter: createDashboardLimiter(),
    catalog: await loadCatalog(db),
    models: compileModels(resources),
    sealer,
    instance_secrets,
    customer_links: signerOf('customer_links'),
    access_signer,
    message_signer: signerOf('processor_messages'),
    request_signer: signerOf('request_hashes'),
    callers: createCallers(db, monotonic_ms),
    documents: createDocumentRenderer(),
    vault,
    processorOf: processors.of,
    processorNamed: processors.findByName,
    adapters,
    accounts,
    account_keys: createAccountKeys({ ...appResources, accounts, system_clock: clock }),
    due_watch: createDueWatch(db),
    loop_statuses: createLoopStatuses(clock),
    email_limits: createEmailLimits({ db: global, clock, signer: access_signer }),
    in_flight: createPaymentsInFlight(config.payments_in_flight, () => {
      if (runsWork(config)) wake.authorise.raise();
    }),
    within: timelines.defaultRows,
    reactions,
    timelines,
  };
  return services;
}
